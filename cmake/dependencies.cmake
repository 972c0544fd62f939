# SPDX-License-Identifier: Apache-2.0
# Every library is a system package; docs/adr says why each was chosen.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(Boost REQUIRED)
find_path(ARBOR_TOMLPP_INCLUDE toml++/toml.h REQUIRED)
find_library(ARBOR_XXHASH xxhash REQUIRED)
find_library(ARBOR_ZSTD zstd REQUIRED)
find_path(ARBOR_SECCOMP_INCLUDE seccomp.h REQUIRED)
find_library(ARBOR_SECCOMP seccomp REQUIRED)
find_path(ARBOR_RE2_INCLUDE re2/re2.h REQUIRED)
find_library(ARBOR_RE2 re2 REQUIRED)
find_path(ARBOR_CLANG_INCLUDE clang-c/Index.h PATHS /usr/lib/llvm-19/include NO_DEFAULT_PATH REQUIRED)
find_library(ARBOR_CLANG clang-19 PATHS /usr/lib/llvm-19/lib NO_DEFAULT_PATH REQUIRED)

# What every room may use. libclang is not here: only the source analyser's own program links it.
add_library(arbor_dependencies INTERFACE)
target_link_libraries(arbor_dependencies INTERFACE
  Threads::Threads fmt::fmt SQLite::SQLite3 ${ARBOR_XXHASH} ${ARBOR_ZSTD} ${ARBOR_RE2}
  ${ARBOR_SECCOMP})
target_include_directories(arbor_dependencies INTERFACE ${CMAKE_SOURCE_DIR}/src)
target_include_directories(arbor_dependencies SYSTEM INTERFACE
  ${ARBOR_TOMLPP_INCLUDE} ${ARBOR_RE2_INCLUDE} ${ARBOR_SECCOMP_INCLUDE} ${Boost_INCLUDE_DIRS})
if(ARBOR_TESTS)
  find_package(GTest REQUIRED)
  enable_testing()
endif()
