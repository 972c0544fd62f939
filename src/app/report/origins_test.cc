// SPDX-License-Identifier: Apache-2.0
#include "app/report/origins.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "app/campaign_fixture.h"
#include "base/json.h"

namespace arbor::app {
namespace {
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// n1 is kept and profiled again; what is proposed then and an idea of the root's profile come near
// a proof, so that they are tried together: n3.
class Origins : public CampaignFixture {
 protected:
  void SetUp() override {
    begin_campaign();
    ASSERT_TRUE(end_next({{"loop", source_change("1", "2")}}));
    ASSERT_EQ(state_.search->trunk().value, 1);
    domain::Action again = state_.trials.front().start.choice.action;
    again.id = {};
    again.strategy = "tile";
    again.title = "Tile sum_rows()";
    add(engine::Proposed{domain::NodeId{1}, {again}});
    for (int guard = 0; guard < 12; ++guard) {
      const auto choice = state_.search->ask();
      ASSERT_TRUE(choice);
      end_near_miss(*choice);
      if (!choice->action.parts.empty()) {
        together_ = *choice;
        return;
      }
    }
    FAIL() << "no combined trial";
  }

  void end_near_miss(const search::Choice& choice) {
    const auto number = static_cast<std::int64_t>(state_.trials.size()) + 1;
    node_ = domain::NodeId{number};
    add(engine::TrialStarted{domain::TrialId{number}, node_, choice});
    engine::TrialEnded end;
    end.trial = domain::TrialId{number};
    end.node = node_;
    end.recipe = state_.search->node(state_.search->trunk()).recipe;
    end.commit = state_.search->node(state_.search->trunk()).commit;
    end.verdict = {domain::VerdictKind::kInconclusive,
                   domain::Stage::kPairs,
                   "undecided",
                   "1.01× [0.99, 1.03] over 20 pairs, noise 1.2 %",
                   domain::Interval{0.012, -0.01, 0.03},
                   20};
    add(end);
  }

  search::Choice together_;
  domain::NodeId node_;
};

TEST_F(Origins, OfACombinedTrialAreThoseOfItsParts) {
  ASSERT_EQ(together_.parent.value, 1) << "it stands on the trunk";
  std::vector<std::int64_t> nodes;
  for (const auto& origin : origins_of(state_, together_.action))
    nodes.push_back(origin.proposed_at.value);
  EXPECT_THAT(nodes, testing::Contains(0));
  EXPECT_THAT(nodes, testing::Contains(1));
  EXPECT_EQ(proposed_at_text(origins_of(state_, together_.action)), "n0, n1");
}

TEST_F(Origins, AreSaidByWhyPartByPart) {
  const auto said = say({"why", node_.text(), "-C", root().string()});
  ASSERT_EQ(said.code, kExitDone) << said.err;
  EXPECT_THAT(said.out, AllOf(HasSubstr("  n1         Tile sum_rows(): the profile taken again "
                                        "after n1 was kept"),
                              HasSubstr(": the root's profile\n")));
  const auto json = base::parse_json(
      say({"why", node_.text(), "--json", "-C", root().string()}).out, "the answer");
  ASSERT_TRUE(json) << json.error().message;
  EXPECT_TRUE(json->at("proposed_at").is_null());
  EXPECT_EQ(json->at("parts").size(), together_.action.parts.size());
  for (const auto& part : json->at("parts")) {
    const bool is_new = part["action"] == "Tile sum_rows()";
    EXPECT_EQ(part["proposed_at"], is_new ? "n1" : "n0");
    EXPECT_EQ(part["revealed_by"] == "the root's profile", !is_new);
  }
}

TEST_F(Origins, OfAPlainIdeaMadeByTheRootStayTheRootsOnALaterTrunk) {
  const auto json =
      base::parse_json(say({"why", "n2", "--json", "-C", root().string()}).out, "the answer");
  ASSERT_TRUE(json) << json.error().message;
  const bool is_new = json->at("action") == "Tile sum_rows()";
  EXPECT_EQ(json->at("proposed_at"), is_new ? "n1" : "n0");
  EXPECT_TRUE(json->at("parts").empty());
}

}  // namespace
}  // namespace arbor::app
