#include "core/script/step_text.h"

namespace loom::script {

std::string printLine(const StepCall& call) {
  std::string line;
  for (const StepTarget& target : call.targets) {
    line += (line.empty() ? "" : ", ") + std::string(target.starred ? "*" : "") + target.name;
  }
  if (call.unpack && call.targets.size() == 1) line += ",";
  if (!line.empty()) line += " = ";
  return line + printValue(call.value);
}

}  // namespace loom::script
