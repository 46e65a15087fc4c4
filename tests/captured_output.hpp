#pragma once
// Captures what the process writes to its standard output (1) or error (2).

#include <cstdio>
#include <string>

#include <unistd.h>

class captured_output {
 public:
  explicit captured_output(int descriptor) : descriptor_(descriptor), file_(std::tmpfile()), saved_(dup(descriptor)) {
    std::fflush(nullptr);
    dup2(fileno(file_), descriptor_);
  }
  captured_output(const captured_output&) = delete;
  ~captured_output() {
    std::fflush(nullptr);
    dup2(saved_, descriptor_);
    close(saved_);
    std::fclose(file_);
  }
  /// What was written since the last call.
  std::string text() {
    std::fflush(nullptr);
    std::string s;
    char c = 0;
    while (pread(fileno(file_), &c, 1, at_) == 1) {
      s += c;
      ++at_;
    }
    return s;
  }

 private:
  int descriptor_;
  std::FILE* file_;
  int saved_;
  off_t at_ = 0;
};
