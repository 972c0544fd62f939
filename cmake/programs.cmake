# SPDX-License-Identifier: Apache-2.0
# The programs: arbor itself and the small ones that run inside the sandbox.
if(EXISTS ${CMAKE_SOURCE_DIR}/src/app/programs/arbor_main.cc)
  add_executable(arbor src/app/programs/arbor_main.cc)
  target_link_libraries(arbor PRIVATE ${ARBOR_ROOM_LIBRARIES} arbor_dependencies)
endif()
