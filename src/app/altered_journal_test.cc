// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <sqlite3.h>

#include <nlohmann/json.hpp>

#include "app/campaign_fixture.h"
#include "app/report/report.h"

// A journal on disk that something other than Arbor has changed.
namespace arbor::app {
namespace {
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class AlteredJournal : public CampaignFixture {
 protected:
  AlteredJournal() {
    begin_campaign();
    end_next({{"loop", source_change("1", "2")}});
    end_next({});
    end_campaign();
  }
  void sql(const std::string& text) const {
    sqlite3* handle = nullptr;
    ASSERT_EQ(::sqlite3_open((root() / ".arbor/campaign.db").c_str(), &handle), SQLITE_OK);
    char* problem = nullptr;
    EXPECT_EQ(::sqlite3_exec(handle, text.c_str(), nullptr, nullptr, &problem), SQLITE_OK)
        << problem;
    ::sqlite3_close(handle);
  }
  std::vector<ports::Event> events() const {
    return *(*ports::open_store(root() / ".arbor", ports::StoreMode::kRead))->read(0);
  }
};

TEST_F(AlteredJournal, IsRefusedByEveryVerbWithTheFileAndWhatToDo) {
  sql("DROP TRIGGER events_never_change; UPDATE events SET body = replace(body, '\"pairs\":20', "
      "'\"pairs\":21') WHERE type = 'final_measured'");
  for (const char* verb : {"report", "status", "tree", "log", "export"}) {
    const auto said = say({verb, "-C", root().string()});
    EXPECT_EQ(said.code, 1) << verb;
    EXPECT_THAT(said.err, AllOf(HasSubstr("campaign.db' is damaged: entry"),
                                HasSubstr("not as it was written"), HasSubstr(".recover")));
  }
}

TEST_F(AlteredJournal, WithoutChainsIsJudgedByWhatItSays) {
  sql("DROP TRIGGER events_never_change; UPDATE events SET chain = ''");
  EXPECT_EQ(say({"report", "-C", root().string()}).code, 0);
  sql("UPDATE events SET body = json_set(body, '$.node', -1) WHERE type = 'profiled'");
  const auto said = say({"report", "-C", root().string()});
  EXPECT_EQ(said.code, 1);
  EXPECT_THAT(said.err, AllOf(HasSubstr(root().string() +
                                        "/.arbor/campaign.db' cannot be used: journal entry"),
                              HasSubstr("(profiled): 'node' is -1"), HasSubstr(".recover"),
                              Not(HasSubstr("json.exception"))));
  EXPECT_THAT(say({"resume", "-C", root().string()}).err, HasSubstr("'node' is -1"));
}

// Each number of a whole journal, changed to what does most harm: refused, or harmless.
TEST_F(AlteredJournal, EndsNoProcessWhateverNumberIsChanged) {
  const auto original = events();
  int refused = 0, taken = 0;
  for (std::size_t at = 0; at < original.size(); ++at) {
    const auto leaves = base::parse_json(original[at].body, "body")->flatten();
    for (const auto& [pointer, leaf] : leaves.items()) {
      if (!leaf.is_number()) continue;
      for (const base::Json& value :
           {base::Json(-1), base::Json(1e308), base::Json(INT64_MAX), base::Json("text")}) {
        auto altered = original;
        auto body = *base::parse_json(original[at].body, "body");
        body[base::Json::json_pointer(pointer)] = value;
        altered[at].body = base::dump_json(body);
        const auto state = engine::fold(altered, manifest_);
        state ? ++taken : ++refused;
        if (!state) {
          EXPECT_EQ(state.error().kind, base::ErrorKind::kCorrupt);
          EXPECT_THAT(state.error().message, Not(HasSubstr("json.exception")));
          continue;
        }
        EXPECT_FALSE(base::dump_json(report_json(*state, manifest_)).empty());
        EXPECT_FALSE(report_markdown(*state, manifest_).empty());
      }
    }
  }
  EXPECT_GT(refused, 3 * taken) << taken << " were taken";
}

}  // namespace
}  // namespace arbor::app
