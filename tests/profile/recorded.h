// The profiles and disassemblies that were recorded on a GPU, in tests/profile/recorded.
#pragma once
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "core/profile/ncu_csv.h"
#include "core/sass/kernel.h"

namespace loom::profile {

// Return the path, and the contents, of a recorded file by its name; empty contents if there is no such file.
inline std::string recordedFile(const std::string& name) {
  return std::string(TILELOOM_SOURCE_DIR) + "/tests/profile/recorded/" + name;
}

inline std::string recorded(const std::string& name) {
  std::ifstream in(recordedFile(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Return the stall samples, and the machine code, of the recorded kernel "scale". Throw std::runtime_error if its file
// can't be read.
inline StallProfile scaleProfile() {
  auto read = readNcuCsv(recorded("scale.csv"), "scale.csv");
  if (!read || read->size() != 1) throw std::runtime_error("scale.csv can't be read");
  return read->front();
}

inline sass::Kernel scaleSass() {
  auto read = sass::parse(recorded("scale.sass"));
  if (!read) throw std::runtime_error(read.error().message.english());
  return read->front();
}

}  // namespace loom::profile
