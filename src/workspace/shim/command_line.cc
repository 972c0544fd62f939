// SPDX-License-Identifier: Apache-2.0
#include "workspace/shim/command_line.h"

#include <algorithm>
#include <array>

namespace arbor::workspace {
namespace {
namespace fs = std::filesystem;

constexpr int kMaxResponseDepth = 10;
constexpr std::size_t kMaxArguments =
    200'000;  // a response file that names itself grows no further

// Options whose value is the next argument. -l, -L and the like also exist joined.
constexpr std::array kTakesValue = {"-I",
                                    "-D",
                                    "-U",
                                    "-include",
                                    "-imacros",
                                    "-isystem",
                                    "-idirafter",
                                    "-iquote",
                                    "-iprefix",
                                    "-iwithprefix",
                                    "-isysroot",
                                    "-MF",
                                    "-MT",
                                    "-MQ",
                                    "-Xassembler",
                                    "-Xpreprocessor",
                                    "-Xclang",
                                    "-arch",
                                    "-target",
                                    "-aux-info",
                                    "--param",
                                    "-dumpbase",
                                    "-dumpdir",
                                    "-dumpbase-ext",
                                    "-wrapper",
                                    "-mllvm",
                                    "-ivfsoverlay",
                                    "-iframework",
                                    "-include-pch",
                                    "--sysroot",
                                    "-imultilib",
                                    "-iwithprefixbefore",
                                    "-gcc-toolchain",
                                    "--include-directory",
                                    "--define-macro",
                                    "-A",
                                    "-B",
                                    "-mthread-model",
                                    "-Xopenmp-target",
                                    "-Xcuda-ptxas",
                                    "-stdlib++-isystem",
                                    "-iwithsysroot",
                                    "-isystem-after",
                                    "-cxx-isystem",

                                    "-Xanalyzer",
                                    "-working-directory"};
constexpr std::array kLinkTakesValue = {"-L",         "-Xlinker", "-T",      "-u",
                                        "-z",         "-e",       "-h",      "-R",
                                        "-framework", "-rpath",   "-soname", "-dynamic-linker"};
constexpr std::array kQueries = {"--version",
                                 "-dumpversion",
                                 "-dumpfullversion",
                                 "-dumpmachine",
                                 "-dumpspecs",
                                 "-###",
                                 "-E",
                                 "-M",
                                 "-MM",
                                 "-fsyntax-only",
                                 "--help",
                                 "--target-help",
                                 "--preprocess",
                                 "--dependencies",
                                 "-print-search-dirs",
                                 "--print-search-dirs",
                                 "-help",
                                 "-emit-ast",
                                 "--analyze"};
constexpr std::array kSourceSuffixes = {
    ".c",   ".i",   ".ii",  ".cc",  ".cp",  ".cxx",  ".cpp", ".CPP", ".c++", ".C",   ".m",
    ".mi",  ".mm",  ".M",   ".mii", ".s",   ".S",    ".sx",  ".f",   ".for", ".ftn", ".F",
    ".FOR", ".fpp", ".FPP", ".f90", ".f95", ".f03",  ".f08", ".F90", ".F95", ".F03", ".F08",
    ".d",   ".go",  ".adb", ".ads", ".cu",  ".cppm", ".ixx", ".ll",  ".bc"};
constexpr std::array kHeaderSuffixes = {".h",   ".hh",  ".H",   ".hp", ".hxx",
                                        ".hpp", ".HPP", ".h++", ".tcc"};

constexpr std::array kCmakeLanguages = {"C",   "CXX",  "CUDA",   "Fortran",
                                        "HIP", "OBJC", "OBJCXX", "ISPC"};

template <typename Words>
bool is_one_of(std::string_view text, const Words& words) {
  return std::ranges::find(words, text) != words.end();
}

std::string suffix_of(std::string_view path) {
  const auto slash = path.rfind('/');
  const auto name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  const auto dot = name.rfind('.');
  return dot == std::string_view::npos ? "" : std::string(name.substr(dot));
}

bool is_header(std::string_view path) { return is_one_of(suffix_of(path), kHeaderSuffixes); }

bool is_library(std::string_view path) {
  const std::string suffix = suffix_of(path);
  return suffix == ".a" || suffix == ".so" || suffix == ".dylib" || suffix == ".lib" ||
         path.find(".so.") != std::string_view::npos;
}

ArgumentRole role_of_input(std::string_view text, std::string_view language) {
  if (!language.empty() && language != "none") return ArgumentRole::kSource;
  if (is_one_of(suffix_of(text), kSourceSuffixes) || is_header(text)) return ArgumentRole::kSource;
  return is_library(text) ? ArgumentRole::kLibrary : ArgumentRole::kObject;
}

bool is_query(std::string_view text) {
  return is_one_of(text, kQueries) || text.starts_with("-print-") || text.starts_with("--print-") ||
         text.starts_with("--help=") || text.starts_with("--autocomplete");
}

// The role of an option; has_value: the next argument belongs to it.
ArgumentRole role_of_option(std::string_view text, bool& has_value) {
  has_value = text == "-o" || text == "-x" || text == "-l" || text == "--output" ||
              text == "--language" || is_one_of(text, kTakesValue) ||
              is_one_of(text, kLinkTakesValue);
  if (text == "-c" || text == "-S" || text == "--compile" || text == "--assemble")
    return ArgumentRole::kMode;
  if (text == "--output" || text.starts_with("--output=") || text.starts_with("-o"))
    return ArgumentRole::kOutput;
  if (text == "--language" || text.starts_with("--language=") || text.starts_with("-x"))
    return ArgumentRole::kLanguage;
  if (text.starts_with("-l")) return ArgumentRole::kLibrary;
  if (text.starts_with("-L") || text.starts_with("-Wl,") || is_one_of(text, kLinkTakesValue))
    return ArgumentRole::kLinkOption;
  return ArgumentRole::kOption;
}

// The value of -oFILE, --output=FILE, "-o FILE".
std::string value_after(const Argument& argument, std::string_view short_form) {
  if (argument.words.size() > 1) return argument.words[1];
  const std::string& word = argument.words[0];
  const auto equals = word.find('=');
  if (word.starts_with("--")) return equals == std::string::npos ? "" : word.substr(equals + 1);
  return word.substr(std::min(word.size(), short_form.size()));
}

struct Word {
  std::string text;
  std::size_t response = 0;
};

class Parser {
 public:
  explicit Parser(const FileReader& reader) : reader_(reader) {}

  CommandLine parse(const std::vector<std::string>& argv) {
    for (std::size_t i = 1; i < argv.size(); ++i) expand(argv[i], 0, 0);
    for (std::size_t i = 0; i < words_.size();) i = take(i);
    return std::move(line_);
  }

 private:
  void expand(const std::string& text, std::size_t response, int depth) {
    std::optional<std::string> contents;
    if (text.size() > 1 && text[0] == '@' && depth < kMaxResponseDepth &&
        words_.size() < kMaxArguments)
      contents = reader_(text.substr(1));
    if (!contents) {
      words_.push_back({text, response});
      return;
    }
    if (depth == 0) {
      line_.response_files.push_back(text);
      response = line_.response_files.size();
    }
    for (const auto& word : split_response(*contents)) expand(word, response, depth + 1);
  }

  std::size_t take(std::size_t i) {
    Argument argument{.words = {words_[i].text}, .response = words_[i].response};
    const std::string& text = words_[i].text;
    if (is_past_options_ || text.empty() || text[0] != '-' || text == "-")
      return take_input(std::move(argument)), i + 1;
    if (text == "--") {
      is_past_options_ = true;
      argument.role = ArgumentRole::kOptionEnd;
      line_.arguments.push_back(std::move(argument));
      return i + 1;
    }
    bool has_value = false;
    argument.role = role_of_option(text, has_value);
    if (has_value && i + 1 < words_.size()) {
      const Word& value = words_[++i];
      argument.words.push_back(value.text);
      if (value.response != argument.response)
        line_.torn_responses.insert(line_.torn_responses.end(),
                                    {value.response, argument.response});
    }
    note(argument);
    line_.arguments.push_back(std::move(argument));
    return i + 1;
  }

  void take_input(Argument argument) {
    line_.reads_stdin |= argument.words[0] == "-" && !is_past_options_;
    argument.role = role_of_input(argument.words[0], language_);
    if (argument.words[0] == "-") argument.role = ArgumentRole::kSource;
    line_.arguments.push_back(std::move(argument));
  }

  void note(const Argument& argument) {
    if (is_query(argument.words[0])) line_.is_query = true;
    if (argument.role == ArgumentRole::kMode) line_.stops_before_link = true;
    if (argument.role == ArgumentRole::kOutput) line_.output = value_after(argument, "-o");
    if (argument.role != ArgumentRole::kLanguage) return;
    language_ = value_after(argument, "-x");
    line_.has_language_override = true;
  }

  const FileReader& reader_;
  CommandLine line_;
  std::vector<Word> words_;
  std::string language_;
  bool is_past_options_ = false;
};

// Files and folders that only configure tools make.
bool is_probe_component(std::string_view name) {
  return name == "conftest" || name.starts_with("conftest.") || name == "CMakeScratch" ||
         name == "CMakeTmp" ||
         (name.starts_with("CompilerId") && is_one_of(name.substr(10), kCmakeLanguages)) ||
         name == "meson-private" || name == ".sconf_temp" || name.starts_with(".conf_check_") ||
         name == "config.tests" || name.starts_with("_configtest.");
}

bool is_probe_path(const std::string& path, const fs::path& cwd, const fs::path& tree_path) {
  const fs::path relative = tree_relative(path, cwd, tree_path);
  return std::ranges::any_of(
      relative, [](const fs::path& part) { return is_probe_component(part.native()); });
}

bool is_probe(const CommandLine& line, const fs::path& cwd, const fs::path& tree_path) {
  if (line.is_query || line.reads_stdin) return true;
  bool has_input = false;
  for (const auto& argument : line.arguments) {
    const bool is_source = argument.role == ArgumentRole::kSource;
    if (is_source &&
        (argument.value() == "/dev/null" || is_probe_path(argument.value(), cwd, tree_path)))
      return true;
    has_input |= is_source || argument.role == ArgumentRole::kObject ||
                 argument.role == ArgumentRole::kLibrary;
  }
  // conftest.o becomes conftest: the output tells.
  return !has_input || (!line.output.empty() && is_probe_path(line.output, cwd, tree_path)) ||
         is_probe_path(".", cwd, tree_path);
}

}  // namespace

std::vector<std::string> CommandLine::sources() const {
  std::vector<std::string> found;
  for (const auto& argument : arguments)
    if (argument.role == ArgumentRole::kSource) found.push_back(argument.words[0]);
  return found;
}

std::vector<std::string> split_response(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool is_open = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size()) {
      word += text[++i];
      is_open = true;
    } else if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      is_open = true;
    } else if (c == ' ' || (c >= '\t' && c <= '\r')) {
      if (is_open) words.push_back(std::move(word));
      word.clear();
      is_open = false;
    } else {
      word += c;
      is_open = true;
    }
  }
  if (is_open) words.push_back(std::move(word));
  return words;
}

CommandLine parse_command_line(const std::vector<std::string>& argv, const FileReader& reader) {
  return Parser(reader).parse(argv);
}

CompileCommand::Kind kind_of(const CommandLine& line, const fs::path& cwd,
                             const fs::path& tree_path) {
  using Kind = CompileCommand::Kind;
  if (is_probe(line, cwd, tree_path)) return Kind::kProbe;
  const auto sources = line.sources();
  const bool are_headers = !sources.empty() && std::ranges::all_of(sources, is_header);
  if (line.stops_before_link) return sources.empty() ? Kind::kOther : Kind::kCompile;
  if (are_headers) return Kind::kCompile;  // a precompiled header
  return sources.empty() ? Kind::kLink : Kind::kCompileAndLink;
}

std::string tree_relative(const std::string& path, const fs::path& cwd, const fs::path& tree_path) {
  fs::path full = (cwd / path).lexically_normal();
  if (!full.has_filename()) full = full.parent_path();  // "dir/." and "dir/"
  if (tree_path.empty()) return full.string();
  fs::path tree = tree_path.lexically_normal();
  if (!tree.has_filename() && tree.has_relative_path()) tree = tree.parent_path();
  const fs::path relative = full.lexically_relative(tree);
  const bool is_outside = relative.empty() || *relative.begin() == "..";
  return is_outside ? full.string() : relative.string();
}

std::vector<std::string> outputs_of(const CommandLine& line, CompileCommand::Kind kind) {
  using Kind = CompileCommand::Kind;
  if (!line.output.empty()) return {line.output};
  if (kind == Kind::kLink || kind == Kind::kCompileAndLink) return {"a.out"};
  if (kind != Kind::kCompile) return {};
  const bool is_assembly = std::ranges::any_of(line.arguments, [](const Argument& argument) {
    return argument.words[0] == "-S" || argument.words[0] == "--assemble";
  });
  std::vector<std::string> outputs;
  for (const auto& source : line.sources())
    outputs.push_back(is_header(source)
                          ? source + ".gch"
                          : fs::path(source).stem().string() + (is_assembly ? ".s" : ".o"));
  return outputs;
}

}  // namespace arbor::workspace
