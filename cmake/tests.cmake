# SPDX-License-Identifier: Apache-2.0
# The tests that belong to no room. A file under tests/ that is not named here is in no target, and
# the layout test says so.
if(NOT ARBOR_TESTS)
  return()
endif()

add_executable(layout_tests
  tests/layout/json_page_test.cc tests/layout/layout_test.cc tests/layout/rules.cc tests/layout/source_tree.cc)
target_compile_definitions(layout_tests PRIVATE ARBOR_SOURCE_ROOT="${CMAKE_SOURCE_DIR}")
target_link_libraries(layout_tests PRIVATE fmt::fmt GTest::gmock GTest::gtest_main)
gtest_discover_tests(layout_tests DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
                     PROPERTIES TIMEOUT 300)

# Tests of app read examples and documents of the source tree.
if(TARGET app_tests)
  target_compile_definitions(app_tests PRIVATE ARBOR_SOURCE_ROOT="${CMAKE_SOURCE_DIR}")
  add_dependencies(app_tests arbor_shim_parts arbor-analyzer)
endif()

# The command line's words, compared with the texts in tests/golden.
if(TARGET arbor_app)
  add_executable(golden_tests tests/golden/golden_test.cc)
  target_compile_definitions(golden_tests PRIVATE ARBOR_SOURCE_ROOT="${CMAKE_SOURCE_DIR}")
  target_link_libraries(golden_tests PRIVATE ${ARBOR_ROOM_LIBRARIES} arbor_dependencies
                        GTest::gmock GTest::gtest_main)
  gtest_discover_tests(golden_tests DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
                       PROPERTIES TIMEOUT 300)
endif()

# What `make install DESTDIR=…` leaves behind works from there.
if(TARGET arbor)
  add_test(NAME install COMMAND ${CMAKE_SOURCE_DIR}/tests/install/install.sh ${CMAKE_BINARY_DIR})
  set_tests_properties(install PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77)
endif()

# The arbor binary with the real compiler, sandbox and git, as a user has them.
if(TARGET arbor)
  foreach(script try script campaign streams)
    add_test(NAME end_to_end.${script}
             COMMAND ${CMAKE_SOURCE_DIR}/tests/end_to_end/${script}.sh $<TARGET_FILE:arbor>)
    set_tests_properties(end_to_end.${script} PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77)
  endforeach()
endif()

if(ARBOR_FUZZ)
  add_executable(perf_script_fuzz tests/fuzz/perf_script_fuzz.cc)
  target_link_libraries(perf_script_fuzz PRIVATE ${ARBOR_ROOM_LIBRARIES} arbor_dependencies)
  target_link_options(perf_script_fuzz PRIVATE -fsanitize=fuzzer)
endif()

# Campaigns as text: the engine around ports that answer as a scenario says.
add_executable(scenario_tests
  tests/scenario/scenario_test.cc tests/scenario/scenario.cc tests/scenario/world.cc)
target_compile_definitions(scenario_tests PRIVATE
  ARBOR_SCENARIOS="${CMAKE_SOURCE_DIR}/tests/scenario")
target_link_libraries(scenario_tests PRIVATE
  ${ARBOR_ROOM_LIBRARIES} arbor_dependencies GTest::gmock GTest::gtest_main)
add_dependencies(scenario_tests arbor_shim_parts)
gtest_discover_tests(scenario_tests DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
                     PROPERTIES TIMEOUT 300)
