// SPDX-License-Identifier: Apache-2.0

// The line protocol between a client and the server, over stdin and stdout. One message a line:
//
//   client  GEN <id> <max_tokens> <prompt>         the prompt is the rest of the line, escaped
//   server  READY                                  the model is loaded
//           TOK <id> <token> <logprob> <piece>     one generated token; the piece is escaped text
//           END <id> <prompt_tokens> <generated>   the request is complete
//           ERR <id> <message>                     the request was refused
//
// The client closes its end to stop the server, which first answers everything it has read.
// Generation is greedy and ends after exactly max_tokens: the model has no stop token.
#pragma once

#include <string>
#include <string_view>

namespace llm::protocol {

inline constexpr std::string_view kGenerate = "GEN";
inline constexpr std::string_view kReady = "READY";
inline constexpr std::string_view kToken = "TOK";
inline constexpr std::string_view kEnd = "END";
inline constexpr std::string_view kError = "ERR";

// Printable ASCII but backslash stands for itself, every other byte becomes \xHH.
inline std::string escape(std::string_view text) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f && c != '\\') {
      out += c;
    } else {
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    }
  }
  return out;
}

inline int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

// The inverse of escape(); a malformed escape is kept as it stands.
inline std::string unescape(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size() && text[i + 1] == 'x' &&
        hex_digit(text[i + 2]) >= 0 && hex_digit(text[i + 3]) >= 0) {
      out += static_cast<char>(hex_digit(text[i + 2]) * 16 + hex_digit(text[i + 3]));
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace llm::protocol
