# SPDX-License-Identifier: Apache-2.0
# The programs: arbor itself and the small ones that run inside the sandbox.
if(EXISTS ${CMAKE_SOURCE_DIR}/src/app/programs/arbor_main.cc)
  add_executable(arbor src/app/programs/arbor_main.cc)
  target_link_libraries(arbor PRIVATE ${ARBOR_ROOM_LIBRARIES} arbor_dependencies)
endif()

# `arbor version` names the commit it was configured at; empty outside a git checkout.
if(EXISTS ${CMAKE_SOURCE_DIR}/.git/logs/HEAD)  # grows with every commit
  set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    ${CMAKE_SOURCE_DIR}/.git/logs/HEAD)
endif()
execute_process(COMMAND git -C ${CMAKE_SOURCE_DIR} rev-parse --short=12 HEAD
                OUTPUT_VARIABLE arbor_commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(TARGET arbor_app)
  set_source_files_properties(${CMAKE_SOURCE_DIR}/src/app/version.cc PROPERTIES COMPILE_DEFINITIONS
    "ARBOR_VERSION=\"${PROJECT_VERSION}\";ARBOR_COMMIT=\"${arbor_commit}\"")
endif()

# What the compiler shim is made of. It starts once for every compile of a program, so it is static
# and small; it and the witness end up in foreign processes, so no preset's sanitizers reach them.
function(arbor_without_sanitizers target)
  foreach(property COMPILE_OPTIONS LINK_OPTIONS)
    get_target_property(options ${target} ${property})
    if(options)
      list(FILTER options EXCLUDE REGEX "sanitize")
      set_target_properties(${target} PROPERTIES ${property} "${options}")
    endif()
  endforeach()
endfunction()

add_executable(arbor-shim
  src/workspace/shim/programs/arbor_shim.cc src/workspace/shim/programs/real_tool.cc
  src/workspace/shim/command_line.cc src/workspace/shim/places.cc src/workspace/shim/plan.cc src/workspace/shim/record.cc
  src/workspace/shim/rewrite.cc src/workspace/shim/tools.cc src/domain/removed_flags.cc)
target_include_directories(arbor-shim PRIVATE ${CMAKE_SOURCE_DIR}/src)
target_compile_options(arbor-shim PRIVATE -O2)
target_link_options(arbor-shim PRIVATE -static -s)
arbor_without_sanitizers(arbor-shim)

add_library(arbor_witness SHARED src/workspace/shim/programs/arbor_witness.c)
target_compile_options(arbor_witness PRIVATE -O2)
arbor_without_sanitizers(arbor_witness)

# Linked into instrumented programs as it is: an object file under a name that the shim knows.
add_library(arbor_profile_dump OBJECT src/workspace/shim/programs/arbor_profile_dump.c)
target_compile_options(arbor_profile_dump PRIVATE -O2 -fPIC -g0)
arbor_without_sanitizers(arbor_profile_dump)
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/arbor_profile_dump.o
  COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_OBJECTS:arbor_profile_dump>
          ${CMAKE_BINARY_DIR}/arbor_profile_dump.o
  DEPENDS arbor_profile_dump $<TARGET_OBJECTS:arbor_profile_dump> VERBATIM)
add_custom_target(arbor_shim_parts ALL
  DEPENDS arbor-shim arbor_witness ${CMAKE_BINARY_DIR}/arbor_profile_dump.o)
if(TARGET workspace_tests)
  add_dependencies(workspace_tests arbor_shim_parts)
endif()
if(TARGET arbor)
  add_dependencies(arbor arbor_shim_parts)
endif()

# Reads C and C++ for the analyser port, alone in the sandbox; the only program with libclang.
add_executable(arbor-analyzer
  src/ports/analyzer/programs/arbor_analyzer.cc src/ports/analyzer/programs/cursor.cc
  src/ports/analyzer/programs/for_header.cc src/ports/analyzer/programs/linear.cc
  src/ports/analyzer/programs/loop_body.cc src/ports/analyzer/programs/reduction.cc)
target_include_directories(arbor-analyzer PRIVATE ${CMAKE_SOURCE_DIR}/src)
target_include_directories(arbor-analyzer SYSTEM PRIVATE ${ARBOR_CLANG_INCLUDE})
target_link_libraries(arbor-analyzer PRIVATE ${ARBOR_CLANG})
get_filename_component(clang_folder ${ARBOR_CLANG} DIRECTORY)
set_target_properties(arbor-analyzer PROPERTIES BUILD_RPATH ${clang_folder}
                      INSTALL_RPATH ${clang_folder})
target_compile_options(arbor-analyzer PRIVATE -O2)
arbor_without_sanitizers(arbor-analyzer)
if(TARGET ports_tests)
  add_dependencies(ports_tests arbor-analyzer)
endif()
if(TARGET arbor)
  add_dependencies(arbor arbor-analyzer)
endif()

include(GNUInstallDirs)
if(TARGET arbor)
  install(TARGETS arbor RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(TARGETS arbor-shim arbor-analyzer RUNTIME DESTINATION libexec/arbor)
  install(TARGETS arbor_witness LIBRARY DESTINATION libexec/arbor)
  install(FILES ${CMAKE_BINARY_DIR}/arbor_profile_dump.o DESTINATION libexec/arbor)
  # The manual page and the completions come from the same table as --help: the program itself
  # writes them when it is installed.
  set(pages ${CMAKE_BINARY_DIR}/pages)
  install(CODE "
    file(MAKE_DIRECTORY \"${pages}\")
    foreach(page \"man;arbor.1\" \"completion bash;arbor\" \"completion zsh;_arbor\"
            \"completion fish;arbor.fish\")
      list(GET page 0 words)
      list(GET page 1 file)
      separate_arguments(words)
      execute_process(COMMAND \"$<TARGET_FILE:arbor>\" \${words}
                      OUTPUT_FILE \"${pages}/\${file}\" COMMAND_ERROR_IS_FATAL ANY)
    endforeach()")
  install(FILES ${pages}/arbor.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${pages}/arbor DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${pages}/_arbor DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${pages}/arbor.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
