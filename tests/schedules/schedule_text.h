#pragma once

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace loom::tests {

/// Returns the step lines of tests/schedules/NAME.py. Throws where there is no such file.
inline std::string scheduleText(const std::string& name) {
  std::ifstream in(std::string(TILELOOM_SOURCE_DIR) + "/tests/schedules/" + name + ".py");
  if (!in) throw std::runtime_error("there is no schedule " + name + " in tests/schedules");
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace loom::tests
