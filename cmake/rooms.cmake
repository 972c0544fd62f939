# SPDX-License-Identifier: Apache-2.0
# A room is a folder of src/: its .cc files are one OBJECT library (self-registration survives that,
# a static library would drop it), its *_test.cc files one test program. Programs of their own
# (a folder with a main) live in src/<room>/**/programs/ and are named in programs.cmake.
include(GoogleTest)

function(arbor_rooms)
  set(seen "")
  foreach(room IN LISTS ARGV)
    set(dir ${CMAKE_SOURCE_DIR}/src/${room})
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${dir}/*.cc)
    list(FILTER sources EXCLUDE REGEX "/programs/")
    set(tests ${sources})
    list(FILTER tests INCLUDE REGEX "_test\\.cc$")
    list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
    if(sources)
      add_library(arbor_${room} OBJECT ${sources})
      target_link_libraries(arbor_${room} PUBLIC arbor_dependencies)
      list(APPEND seen arbor_${room})
    endif()
    if(ARBOR_TESTS AND tests)
      add_executable(${room}_tests ${tests})
      target_link_libraries(${room}_tests PRIVATE ${seen} arbor_dependencies GTest::gmock GTest::gtest_main)
      gtest_discover_tests(${room}_tests DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
                           TEST_PREFIX ${room}.
                           PROPERTIES TIMEOUT 300)
    endif()
  endforeach()
  set(ARBOR_ROOM_LIBRARIES ${seen} PARENT_SCOPE)
endfunction()
