// SPDX-License-Identifier: Apache-2.0
// A call becomes one step, the program's own arguments with ours behind them, or, where sources of
// one command need different flags, a step for each source and one for the link.
#include "workspace/shim/rewrite.h"

#include <algorithm>
#include <array>

#include "workspace/shim/places.h"

namespace arbor::workspace {
namespace {
using Kind = CompileCommand::Kind;
using Arguments = std::vector<Argument>;
using Entries = std::vector<const domain::CompilerFlags*>;

constexpr const char* kProfileDumpObject = "/arbor_profile_dump.o";  // in the shim's folder

// Flags that change what the driver links, so they may not slip onto a link they were not for:
// fast-math pulls in crtfastmath.o, which changes the floating-point mode of the whole process.
constexpr std::array kLinkEffects = {"-ffast-math",
                                     "-Ofast",
                                     "-funsafe-math-optimizations",
                                     "-fopenmp",
                                     "-fopenacc",
                                     "-fsanitize",
                                     "-pg",
                                     "-p",
                                     "--coverage",
                                     "-coverage",
                                     "-fprofile",
                                     "-static",
                                     "-shared",
                                     "-pthread",
                                     "-mpc",
                                     "-mdaz-ftz",
                                     "-fsplit-stack",
                                     "-fgnu-tm",
                                     "-ftree-parallelize-loops",
                                     "-stdlib=",
                                     "-fuse-ld",
                                     "-s",
                                     "-rdynamic",
                                     "-pie",
                                     "-no-pie",
                                     "-l",
                                     "-L",
                                     "-Wl,",
                                     "-nostdlib",
                                     "-nodefaultlibs"};
constexpr std::array kWholeWordOnly = {"-p", "-s", "-pie"};

bool has_link_effect(std::string_view flag) {
  return std::ranges::any_of(kLinkEffects, [&](std::string_view each) {
    const bool is_whole = std::ranges::find(kWholeWordOnly, each) != kWholeWordOnly.end();
    return is_whole ? flag == each : flag.starts_with(each);
  });
}

bool is_lto_of_all(const domain::CompilerFlags& flags) {
  return std::ranges::any_of(flags.add, is_lto_flag);
}

Arguments parsed(const std::vector<std::string>& words) {
  std::vector<std::string> argv = {""};
  argv.insert(argv.end(), words.begin(), words.end());
  auto arguments =
      parse_command_line(argv, [](const std::string&) { return std::nullopt; }).arguments;
  for (auto& argument : arguments) argument.is_ours = true;
  return arguments;
}

// What a recipe may remove: options, never an input, the output, the mode or the language.
bool is_removable(const Argument& argument) {
  const bool is_flag = argument.words[0].starts_with('-') && argument.words[0] != "-";
  return is_flag &&
         (argument.role == ArgumentRole::kOption || argument.role == ArgumentRole::kLinkOption ||
          argument.role == ArgumentRole::kLibrary);
}

void apply(Arguments& arguments, const domain::CompilerFlags& flags) {
  std::erase_if(arguments, [&](const Argument& argument) {
    return is_removable(argument) &&
           std::ranges::any_of(flags.remove, [&](const std::string& pattern) {
             return domain::is_removed_by(argument.words[0], pattern);
           });
  });
  const Arguments added = parsed(flags.add);
  arguments.insert(arguments.end(), added.begin(), added.end());
}

bool is_input(const Argument& argument) {
  return argument.role == ArgumentRole::kSource || argument.role == ArgumentRole::kObject;
}

bool goes_among_libraries(const Argument& argument) {
  return argument.is_ours && (argument.role == ArgumentRole::kLinkOption ||
                              argument.role == ArgumentRole::kLibrary || is_input(argument));
}

// Where ours that care about their place on a link line go: behind the last object, before the
// libraries that follow it.
std::size_t library_place(const Arguments& own) {
  std::size_t after_inputs = 0;
  for (std::size_t i = 0; i < own.size(); ++i)
    if (is_input(own[i])) after_inputs = i + 1;
  for (std::size_t i = after_inputs; i < own.size(); ++i)
    if (own[i].role == ArgumentRole::kLibrary) return i;
  return own.size();
}

// Puts the program's arguments and ours into one order.
Arguments arranged(const Arguments& arguments, bool is_link, bool has_language_override) {
  Arguments own, placed, trailing;
  for (const auto& argument : arguments) {
    if (!argument.is_ours)
      own.push_back(argument);
    else if (is_link && goes_among_libraries(argument))
      placed.push_back(argument);
    else
      trailing.push_back(argument);
  }
  const auto end = std::ranges::find(own, ArgumentRole::kOptionEnd, &Argument::role);
  const auto end_index = static_cast<std::size_t>(end - own.begin());
  std::size_t place = std::min(library_place(own), end_index);
  if (has_language_override && !placed.empty()) {
    // An override in force would make the driver read our object as a source.
    placed.insert(placed.begin(), parsed({"-x", "none"})[0]);
    place = end_index;
  }
  own.insert(own.begin() + static_cast<std::ptrdiff_t>(end_index), trailing.begin(),
             trailing.end());
  own.insert(own.begin() + static_cast<std::ptrdiff_t>(place), placed.begin(), placed.end());
  return own;
}

class Rewriter {
 public:
  Rewriter(const DriverCall& call, const ShimPlan& plan, const FileReader& reader)
      : call_(call), plan_(plan), line_(parse_command_line(call.argv, reader)) {}

  Rewriting run() {
    kind_ = kind_of(line_, call_.cwd, plan_.tree_path);
    if (kind_ == Kind::kProbe || kind_ == Kind::kOther) return {{untouched()}, false};
    if (kind_ == Kind::kLink) return {{whole(link_entries())}, false};
    if (!must_split()) return {{whole(entries_for_all())}, false};
    return split();
  }

 private:
  Step untouched() const {
    Step step{{call_.compiler}, kind_, line_.sources(), outputs_of(line_, kind_)};
    if (kind_ == Kind::kProbe && line_.output.empty()) step.outputs.clear();
    step.argv.insert(step.argv.end(), call_.extra.begin(), call_.extra.end());
    if (!call_.argv.empty())
      step.argv.insert(step.argv.end(), call_.argv.begin() + 1, call_.argv.end());
    return step;
  }

  bool is_for(const domain::CompilerFlags& flags, const std::string& source) const {
    if (flags.files.empty()) return true;
    const std::string path = tree_relative(source, call_.cwd, plan_.tree_path);
    return std::ranges::find(flags.files, path) != flags.files.end();
  }

  Entries entries_for(const std::string& source) const {
    Entries entries;
    for (const auto& flags : plan_.flags)
      if (is_for(flags, source)) entries.push_back(&flags);
    return entries;
  }

  bool reaches_link(const domain::CompilerFlags& flags) const {
    return flags.files.empty() && flags.reaches_link;
  }

  Entries link_entries() const {
    Entries entries;
    for (const auto& flags : plan_.flags)
      if (reaches_link(flags)) entries.push_back(&flags);
    return entries;
  }

  // For a command of one step: what its sources and its link need, each entry once and in order.
  Entries entries_for_all() const {
    const Entries of_source = entries_for(line_.sources().front());
    if (kind_ == Kind::kCompile) return of_source;
    Entries entries;
    for (const auto& flags : plan_.flags)
      if (std::ranges::find(of_source, &flags) != of_source.end() || reaches_link(flags))
        entries.push_back(&flags);
    return entries;
  }

  bool must_split() const {
    const auto sources = line_.sources();
    const Entries first = entries_for(sources.front());
    for (const auto& source : sources)
      if (entries_for(source) != first) return true;
    if (kind_ != Kind::kCompileAndLink) return false;
    return std::ranges::any_of(first, [&](const domain::CompilerFlags* flags) {
      return !reaches_link(*flags) && !is_lto_of_all(*flags) &&
             std::ranges::any_of(flags->add, has_link_effect);
    });
  }

  Step whole(const Entries& entries) const {
    Arguments arguments = line_.arguments;
    for (const auto* flags : entries) apply(arguments, *flags);
    return finished(std::move(arguments), kind_, line_.sources(), outputs_of(line_, kind_));
  }

  Rewriting split() const {
    Rewriting rewriting;
    if (kind_ == Kind::kCompile) {
      for (std::size_t i = 0; i < line_.arguments.size(); ++i)
        if (line_.arguments[i].role == ArgumentRole::kSource)
          rewriting.steps.push_back(compile_one(i, ""));
      return rewriting;
    }
    rewriting.uses_scratch = true;
    Arguments link;
    for (std::size_t i = 0; i < line_.arguments.size(); ++i) {
      const Argument& argument = line_.arguments[i];
      if (argument.role == ArgumentRole::kLanguage) continue;  // objects are not of that language
      link.push_back(argument);
      if (argument.role != ArgumentRole::kSource) continue;
      const std::string object = scratch_object(i, argument.words[0]);
      rewriting.steps.push_back(compile_one(i, object));
      link.back() = Argument{ArgumentRole::kObject, {object}};
    }
    for (const auto* flags : link_entries()) apply(link, *flags);
    rewriting.steps.push_back(finished(std::move(link), Kind::kLink, {}, outputs_of(line_, kind_)));
    return rewriting;
  }

  std::string scratch_object(std::size_t index, const std::string& source) const {
    const auto stem = std::filesystem::path(source).stem().string();
    return (call_.scratch_folder / (std::to_string(index) + "-" + stem + ".o")).string();
  }

  // The compile of one source alone; object: where it goes when the program named no place.
  Step compile_one(std::size_t source_index, const std::string& object) const {
    Arguments arguments;
    const bool is_from_link = !object.empty();
    for (std::size_t i = 0; i < line_.arguments.size(); ++i) {
      const Argument& argument = line_.arguments[i];
      const bool is_for_link_only =
          argument.role == ArgumentRole::kObject || argument.role == ArgumentRole::kLibrary ||
          argument.role == ArgumentRole::kLinkOption || argument.role == ArgumentRole::kOutput;
      if (i != source_index && argument.role == ArgumentRole::kSource) continue;
      if (is_from_link && is_for_link_only) continue;
      arguments.push_back(argument);
    }
    const std::string source = line_.arguments[source_index].words[0];
    if (is_from_link) add_mode(arguments, source, object);
    for (const auto* flags : entries_for(source)) apply(arguments, *flags);
    CommandLine alone;
    alone.output = object;
    alone.arguments = arguments;
    return finished(std::move(arguments), Kind::kCompile, {source},
                    outputs_of(alone, Kind::kCompile));
  }

  // -c -o OBJECT, and the dependency file where one command would have put it.
  void add_mode(Arguments& arguments, const std::string& source, const std::string& object) const {
    std::vector<std::string> words = {"-c", "-o", object};
    bool has_dependencies = false, has_file = false;
    for (const auto& argument : line_.arguments) {
      has_dependencies |= argument.words[0] == "-MD" || argument.words[0] == "-MMD";
      has_file |= argument.words[0].starts_with("-MF");
    }
    if (has_dependencies && !has_file) {
      const std::string output = line_.output.empty() ? "a" : line_.output;
      const auto stem = std::filesystem::path(source).stem().string();
      words.insert(words.end(), {"-MF", output + "-" + stem + ".d", "-MT", output});
    }
    const Arguments mode = parsed(words);
    arguments.insert(arguments.end(), mode.begin(), mode.end());
  }

  std::vector<std::string> trailing_flags() const {
    std::vector<std::string> flags;
    const std::string folder = place_of(kProfileFolder);
    const bool is_clang = call_.family == CompilerFamily::kClang;
    if (plan_.pgo == ShimPlan::Pgo::kGenerate)
      flags = {"-fprofile-generate=" + folder, "-fprofile-update=atomic"};
    if (plan_.pgo == ShimPlan::Pgo::kUse && !is_clang)
      flags = {"-fprofile-use=" + folder, "-fprofile-correction", "-Wno-missing-profile",
               "-Wno-coverage-mismatch"};
    if (plan_.pgo == ShimPlan::Pgo::kUse && is_clang)
      flags = {"-fprofile-use=" + folder + "/default.profdata", "-Wno-profile-instr-unprofiled",
               "-Wno-profile-instr-out-of-date", "-Wno-profile-instr-missing",
               "-Wno-backend-plugin"};
    if (plan_.wants_debug_info) flags.insert(flags.end(), {"-g", "-fno-omit-frame-pointer"});
    return flags;
  }

  // The object that writes the profile when a signal ends the process: not for links without the
  // C library, of parts, or for a machine other than the object's own.
  bool wants_profile_dump(Kind kind) const {
    if (plan_.pgo != ShimPlan::Pgo::kGenerate) return false;
    if (kind != Kind::kLink && kind != Kind::kCompileAndLink) return false;
    bool is_shared = false, is_bare = false, is_excluded = false;
    for (const auto& argument : line_.arguments) {
      const std::string& word = argument.words[0];
      is_shared |= word == "-shared";
      is_bare |= word == "-nostdlib" || word == "-nostartfiles" || word == "-ffreestanding";
      is_excluded |= word == "-r" || word == "-Wl,-r" || word == "-m32" || word == "-mx32" ||
                     word == "-target" || word.starts_with("--target=");
    }
    return !is_excluded && (is_shared || !is_bare);
  }

  Step finished(Arguments arguments, Kind kind, std::vector<std::string> sources,
                std::vector<std::string> outputs) const {
    const bool is_link = kind == Kind::kLink || kind == Kind::kCompileAndLink;
    if (is_link)  // -flto goes to both sides, whoever forgot to say so
      for (const auto& flags : plan_.flags)
        if (!reaches_link(flags)) add_lto(arguments, flags);
    if (wants_profile_dump(kind)) {
      std::vector<std::string> words = {place_of(kShimFolder) + kProfileDumpObject};
      if (call_.family == CompilerFamily::kGcc) words.push_back("-Wl,-u,__gcov_dump");
      const Arguments dump = parsed(words);
      arguments.insert(arguments.end(), dump.begin(), dump.end());
    }
    const Arguments ours = parsed(trailing_flags());
    arguments.insert(arguments.end(), ours.begin(), ours.end());
    const bool is_overridden = kind != Kind::kLink && line_.has_language_override;
    return {words_of(arranged(arguments, is_link, is_overridden)), kind, std::move(sources),
            std::move(outputs)};
  }

  static void add_lto(Arguments& arguments, const domain::CompilerFlags& flags) {
    for (const auto& flag : flags.add) {
      const bool is_there = std::ranges::any_of(
          arguments, [&](const Argument& argument) { return argument.words[0] == flag; });
      if (is_lto_flag(flag) && !is_there) arguments.push_back(parsed({flag})[0]);
    }
  }

  // A response file is named again where all of it stands together and unchanged.
  bool is_intact(const Arguments& arguments, std::size_t response) const {
    if (std::ranges::find(line_.torn_responses, response) != line_.torn_responses.end())
      return false;
    const auto is_of_it = [&](const Argument& argument) { return argument.response == response; };
    const auto before = std::ranges::count_if(line_.arguments, is_of_it);
    const auto first = std::ranges::find_if(arguments, is_of_it);
    const auto stop = std::find_if_not(first, arguments.end(), is_of_it);
    return stop - first == before && std::ranges::count_if(arguments, is_of_it) == before;
  }

  std::vector<std::string> words_of(const Arguments& arguments) const {
    std::vector<std::string> argv = {call_.compiler};
    argv.insert(argv.end(), call_.extra.begin(), call_.extra.end());
    std::vector<bool> are_intact(line_.response_files.size() + 1, false);
    for (std::size_t response = 1; response < are_intact.size(); ++response)
      are_intact[response] = is_intact(arguments, response);
    for (std::size_t i = 0; i < arguments.size();) {
      const Argument& argument = arguments[i];
      if (are_intact[argument.response]) {
        argv.push_back(line_.response_files[argument.response - 1]);
        while (i < arguments.size() && arguments[i].response == argument.response) ++i;
        continue;
      }
      argv.insert(argv.end(), argument.words.begin(), argument.words.end());
      ++i;
    }
    return argv;
  }

  const DriverCall& call_;
  const ShimPlan& plan_;
  CommandLine line_;
  Kind kind_ = Kind::kOther;
};

}  // namespace

Rewriting rewrite(const DriverCall& call, const ShimPlan& plan, const FileReader& reader) {
  return Rewriter(call, plan, reader).run();
}

}  // namespace arbor::workspace
