# SPDX-License-Identifier: Apache-2.0
# Warnings, sanitizers and the compiler cache.
find_program(ARBOR_CCACHE ccache)
if(ARBOR_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${ARBOR_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${ARBOR_CCACHE})
endif()

find_program(ARBOR_LLD ld.lld)
if(ARBOR_LLD)
  add_link_options(-fuse-ld=lld)
endif()

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
                    -ffile-prefix-map=${CMAKE_SOURCE_DIR}/=)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # These two report false positives deep inside libstdc++ 12 and {fmt} when optimising.
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict> -Wno-maybe-uninitialized
                      -Wno-stringop-overflow -Wno-array-bounds)
endif()

if(ARBOR_SANITIZE)
  add_compile_options(-fsanitize=${ARBOR_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${ARBOR_SANITIZE})
endif()

if(ARBOR_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
