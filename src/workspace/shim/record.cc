// SPDX-License-Identifier: Apache-2.0
#include "workspace/shim/record.h"

#include <array>
#include <cstdio>

namespace arbor::workspace {
namespace {

constexpr std::array kKindNames = {"compile", "link", "compile-and-link", "probe", "other"};

// Length of the UTF-8 sequence at the start of text, 0 when it is none.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  const std::size_t length = lead < 0x80   ? 1
                             : lead < 0xC2 ? 0
                             : lead < 0xE0 ? 2
                             : lead < 0xF0 ? 3
                             : lead < 0xF5 ? 4
                                           : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  if (length < 3) return length;
  const unsigned second = byte(1);
  const bool is_bad = (lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ||
                      (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F);
  return is_bad ? 0 : length;
}

void put_text(std::string& line, std::string_view text) {
  line += '"';
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    const auto byte = static_cast<unsigned char>(text[0]);
    if (length == 0) {
      line += "\\ufffd";
    } else if (byte == '"' || byte == '\\') {
      line += '\\';
      line += text[0];
    } else if (byte < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", byte);
      line += escape;
    } else {
      line += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  line += '"';
}

void put_texts(std::string& line, std::string_view name, const std::vector<std::string>& texts) {
  line.append(",\"").append(name).append("\":[");
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i != 0) line += ',';
    put_text(line, texts[i]);
  }
  line += ']';
}

}  // namespace

std::string record_line(const CompileCommand& command) {
  std::string line = "{\"directory\":";
  put_text(line, command.directory.native());
  line += ",\"tool\":";
  put_text(line, command.tool);
  line += ",\"kind\":";
  put_text(line, kKindNames.at(static_cast<std::size_t>(command.kind)));
  put_texts(line, "original", command.original_argv);
  put_texts(line, "final", command.final_argv);
  put_texts(line, "sources", command.sources);
  put_texts(line, "outputs", command.outputs);
  char numbers[80];
  std::snprintf(numbers, sizeof numbers, ",\"exit\":%d,\"wall_s\":%.6f}\n", command.exit_code,
                command.wall_s);
  return line + numbers;
}

}  // namespace arbor::workspace
