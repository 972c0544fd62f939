// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "ports/sandbox/sandbox.h"
#include "workspace/builder.h"
#include "workspace/repository_fixture.h"

// A builder over a real repository, the real sandbox and the real shim. Tests are skipped where the
// machine cannot isolate.
namespace arbor::workspace {

class BuilderFixture : public RepositoryFixture {
 protected:
  std::filesystem::path top() const { return scratch() / "the program"; }

  // The test program is beside the shim's parts.
  static std::filesystem::path part(const char* name) {
    return std::filesystem::canonical("/proc/self/exe").parent_path() / name;
  }

  void open_builder(const std::map<std::string, std::string>& files, domain::Manifest manifest,
                    const std::filesystem::path& program = {}) {
    make_repository(top(), files);
    auto sandbox = ports::open_sandbox(scratch() / "overlays", false);
    if (!sandbox) GTEST_SKIP() << sandbox.error().message;
    sandbox_ = std::move(*sandbox);
    repository_.emplace(open_in(top() / program));
    manifest_ = std::move(manifest);
    reopen(program);
    base_ = *repository_->baseline_commit(false);
  }

  void reopen(const std::filesystem::path& program = {}) {
    builder_.emplace(Builder::Setup{manifest_, top() / program / ".arbor", part("arbor-shim"),
                                    part("libarbor_witness.so")},
                     *repository_, *sandbox_);
  }

  BuiltTree build(const BuildOrder& order) {
    auto outcome = builder_->build(order, {});
    EXPECT_TRUE(outcome) << outcome.error().message;
    if (!outcome) return {};
    if (const auto* failure = std::get_if<BuildFailure>(&*outcome)) {
      ADD_FAILURE() << failure->log;
      return {};
    }
    return std::get<BuiltTree>(*outcome);
  }

  BuildFailure failed_build(const BuildOrder& order) {
    auto outcome = builder_->build(order, {});
    EXPECT_TRUE(outcome) << outcome.error().message;
    if (!outcome || !std::holds_alternative<BuildFailure>(*outcome)) {
      ADD_FAILURE() << "the build did not fail";
      return {};
    }
    return std::get<BuildFailure>(*outcome);
  }

  ports::LaunchOutcome launch(const Builder::LaunchOrder& order) {
    const auto request = builder_->launch_request(order);
    EXPECT_TRUE(request) << request.error().message;
    if (!request) return {};
    auto outcome = sandbox_->launch(*request, {});
    EXPECT_TRUE(outcome) << outcome.error().message;
    return outcome ? *outcome : ports::LaunchOutcome{};
  }

  std::string apply(const std::string& parent, const std::string& diff) {
    const auto applied = repository_->apply(parent, diff, "change", {});
    EXPECT_TRUE(applied) << applied.error().message;
    return applied ? applied->commit : parent;
  }

  std::unique_ptr<ports::Sandbox> sandbox_;
  std::optional<Repository> repository_;
  std::optional<Builder> builder_;
  domain::Manifest manifest_;
  std::string base_;
};

}  // namespace arbor::workspace
