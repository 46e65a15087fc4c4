#pragma once
// Reads JSON as far as tests need it: whether a text is valid, and the values of the objects in it. Written from RFC 8259.

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace testing {

struct json_value {
  std::string text;                         ///< strings without quotes, escapes as they were decoded; numbers and words as written
  std::vector<json_value> elements;         ///< of arrays
  std::map<std::string, json_value> fields; ///< of objects

  const json_value& operator[](const std::string& name) const { return fields.at(name); }
  bool has(const std::string& name) const { return fields.count(name) != 0; }
  double number() const { return std::stod(text); }
};

class json_reader {
 public:
  explicit json_reader(std::string_view s) : s_(s) {}
  json_value read() {
    const json_value v = value();
    space();
    if (at_ != s_.size()) fail("something after the end");
    return v;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw std::runtime_error("JSON at " + std::to_string(at_) + ": " + what); }
  void space() {
    while (at_ < s_.size() && (s_[at_] == ' ' || s_[at_] == '\n' || s_[at_] == '\t' || s_[at_] == '\r')) ++at_;
  }
  char next() {
    if (at_ >= s_.size()) fail("ends early");
    return s_[at_++];
  }
  bool eat(char c) {
    space();
    if (at_ >= s_.size() || s_[at_] != c) return false;
    ++at_;
    return true;
  }
  json_value value() {
    space();
    json_value v;
    if (eat('{')) {
      if (eat('}')) return v;
      do {
        space();
        const std::string name = string();
        if (!eat(':')) fail("no colon");
        if (!v.fields.emplace(name, value()).second) fail("twice: " + name);
      } while (eat(','));
      if (!eat('}')) fail("no end of object");
      return v;
    }
    if (eat('[')) {
      if (eat(']')) return v;
      do v.elements.push_back(value());
      while (eat(','));
      if (!eat(']')) fail("no end of array");
      return v;
    }
    if (at_ < s_.size() && s_[at_] == '"') {
      v.text = string();
      return v;
    }
    while (at_ < s_.size() && std::string_view("+-.0123456789eEtruefalsn").find(s_[at_]) != std::string_view::npos) v.text += s_[at_++];
    if (v.text != "true" && v.text != "false" && v.text != "null") {
      std::size_t used = 0;
      if (v.text.empty() || v.text[0] == '+' || v.text[0] == '.') fail("no value");
      (void)std::stod(v.text, &used);
      if (used != v.text.size()) fail("no number: " + v.text);
    }
    return v;
  }
  std::string string() {
    if (next() != '"') fail("no string");
    std::string r;
    for (char c = next(); c != '"'; c = next()) {
      if (std::uint8_t(c) < 0x20) fail("control character in a string");
      if (c != '\\') {
        r += c;
        continue;
      }
      c = next();
      if (c == 'u') {
        const unsigned code = unsigned(std::stoul(std::string(s_.substr(at_, 4)), nullptr, 16));
        at_ += 4;
        if (code < 0x80) r += char(code);
        else if (code < 0x800) r += char(0xC0 | code >> 6), r += char(0x80 | (code & 63));
        else r += char(0xE0 | code >> 12), r += char(0x80 | (code >> 6 & 63)), r += char(0x80 | (code & 63));
      } else if (c == '"' || c == '\\' || c == '/') r += c;
      else if (c == 'n') r += '\n';
      else fail("unknown escape");
    }
    return r;
  }
  std::string_view s_;
  std::size_t at_ = 0;
};

}  // namespace testing
