// SPDX-License-Identifier: Apache-2.0
#include "engine/profiling.h"

#include "engine/arms.h"
#include "engine/reference.h"

namespace arbor::engine {

base::Result<void> profile_trunk(Session& session) {
  session.phase("profiling");
  workspace::BuildOrder build;
  build.commit = session.trunk.commit;
  build.recipe = session.trunk.recipe;
  build.wants_debug_info = true;
  build.purpose = "profile";
  ARBOR_TRY(auto built, session.services().builder.build(build, session.stop()));
  const auto* with_debug = std::get_if<workspace::BuiltTree>(&built);
  const auto* tree = with_debug != nullptr ? with_debug : &session.trunk;
  auto order = bench_order(session, {tree, session.trunk.recipe}, kGoldenSeed);
  if (const auto& own = session.manifest().profile.command; !own.empty()) order.command = own;
  ARBOR_TRY(const auto request, session.services().builder.launch_request(order));
  ARBOR_TRY(auto profile, session.services().profiler.profile(request, session.stop()));
  double shift = 0;
  if (!session.state().profiles.empty())
    shift = domain::profile_shift(session.state().profiles.back().profile, profile);
  return session.commit(Profiled{session.trunk_node(), std::move(profile), shift});
}

}  // namespace arbor::engine
