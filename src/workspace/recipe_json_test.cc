// SPDX-License-Identifier: Apache-2.0
#include "workspace/recipe_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace arbor::workspace {
namespace {

using testing::HasSubstr;

domain::Recipe every_kind() {
  return {{
      domain::SourcePatch{"--- a/ü.c\n+++ b/ü.c\n@@ -1 +1 @@\n-a\n+\"b\"\n", "0123", {"ü.c"}},
      domain::SourcePatch{"-\xE9t\xE9 \x80\xFF\n", "", {}},
      domain::CompilerFlags{{"-O3", "-DX=\"a b\""}, {"-O*"}, {"src/a.cc"}, false},
      domain::CompilerFlags{{"-flto"}, {}, {}, true},
      domain::CompilerChoice{"clang-19", "clang++-19"},
      domain::ProfileGuided{"abc"},
      domain::EnvironmentVariable{"OMP_NUM_THREADS", "2"},
      domain::Preload{"/usr/lib/libmimalloc.so"},
      domain::KnobValue{"batch", "16"},
      domain::KnobValue{"tile", "8", "TILE"},
  }};
}

TEST(RecipeJson, EveryKindOfEntryComesBackEqual) {
  const auto recipe = every_kind();
  const auto again = recipe_from_json(recipe_to_json(recipe), "recipe");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(*again, recipe);
}

TEST(RecipeJson, AChangeComesBackEqualWithItsSummary) {
  const domain::Change change{every_kind().entries, "vectorise \"dot\"\tin ünïcode"};
  const auto again = change_from_json(change_to_json(change), "change");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(*again, change);
}

TEST(RecipeJson, BytesThatAreNoUtf8AreNotReplaced) {
  std::string all;
  for (int byte = 1; byte < 256; ++byte) all += static_cast<char>(byte);
  const domain::Recipe recipe{{domain::SourcePatch{all, "", {}}}};
  const auto again = recipe_from_json(recipe_to_json(recipe), "recipe");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(std::get<domain::SourcePatch>(again->entries.at(0)).diff, all);
}

TEST(RecipeJson, UnknownMissingAndWronglyTypedFieldsAreRefusedByName) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"schema":1})", "no field 'entries'"},
      {R"({"schema":2,"entries":[]})", "schema 2"},
      {R"({"schema":1,"entries":[],"x":1})", "unknown field 'x'"},
      {R"({"schema":1,"entries":{}})", "'entries' is no list"},
      {R"({"schema":1,"entries":[7]})", "entry 1 is no object"},
      {R"({"schema":1,"entries":[{"kind":"magic"}]})", "unknown kind 'magic'"},
      {R"({"schema":1,"entries":[{"kind":"knob","knob":"a"}]})", "no field 'value'"},
      {R"({"schema":1,"entries":[{"kind":"knob","knob":"a","value":3}]})", "'value' is no text"},
      {R"({"schema":1,"entries":[{"kind":"preload","library":"/l","y":0}]})", "unknown field 'y'"},
      {R"({"schema":1,"entries":[{"kind":"flags","add":[1],"remove":[],"files":[],"reaches_link":false}]})",
       "'add' holds what is no text"},
      {R"([])", "is no object"},
  };
  for (const auto& [text, expected] : cases) {
    const auto read = recipe_from_json(text, "recipe of node 3");
    ASSERT_FALSE(read) << text;
    EXPECT_THAT(read.error().message, HasSubstr(expected));
    EXPECT_THAT(read.error().message, HasSubstr("recipe of node 3"));
  }
}

TEST(RecipeJson, TextThatIsNoJsonIsAnError) {
  EXPECT_FALSE(recipe_from_json("{", "recipe"));
  EXPECT_FALSE(change_from_json("", "change"));
}

}  // namespace
}  // namespace arbor::workspace
