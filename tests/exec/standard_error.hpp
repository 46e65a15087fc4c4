#pragma once
// Captures what the process writes to its standard error.

#include <cstdio>
#include <string>

#include <unistd.h>

class standard_error {
 public:
  standard_error() : file_(std::tmpfile()), saved_(dup(2)) {
    std::fflush(stderr);
    dup2(fileno(file_), 2);
  }
  standard_error(const standard_error&) = delete;
  ~standard_error() {
    std::fflush(stderr);
    dup2(saved_, 2);
    close(saved_);
    std::fclose(file_);
  }
  /// What was written since the last call.
  std::string text() {
    std::fflush(stderr);
    std::fseek(file_, at_, SEEK_SET);
    std::string s;
    for (int c; (c = std::fgetc(file_)) != EOF;) s += char(c);
    at_ += long(s.size());
    std::fseek(file_, 0, SEEK_END);
    return s;
  }

 private:
  std::FILE* file_;
  int saved_;
  long at_ = 0;
};
