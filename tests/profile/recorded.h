// The profiles and disassemblies that were recorded on a GPU, in tests/profile/recorded.
#pragma once
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "core/profile/ncu_csv.h"
#include "core/sass/kernel.h"

namespace loom::profile {

// Returns the path of a recorded file with this name.
inline std::string recordedFile(const std::string& name) {
  return std::string(TILELOOM_SOURCE_DIR) + "/tests/profile/recorded/" + name;
}

// Returns the contents of a recorded file; empty if there is no such file.
inline std::string recorded(const std::string& name) {
  std::ifstream in(recordedFile(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Returns the stall samples of the recorded kernel "scale". Throws std::runtime_error if its file can't be read.
inline StallProfile scaleProfile() {
  auto read = readNcuCsv(recorded("scale.csv"), "scale.csv");
  if (!read || read->size() != 1) throw std::runtime_error("scale.csv can't be read");
  return read->front();
}

// Returns the machine code of the recorded kernel "scale". Throws std::runtime_error if its file can't be read.
inline sass::Kernel scaleSass() {
  auto read = sass::parse(recorded("scale.sass"));
  if (!read) throw std::runtime_error(read.error().message.english());
  if (read->empty()) throw std::runtime_error("scale.sass can't be read");
  return read->front();
}

}  // namespace loom::profile
