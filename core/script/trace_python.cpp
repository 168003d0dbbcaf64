#include "core/script/trace_python.h"

namespace loom::script {

std::string printCall(const TraceCall& call) {
  std::string out;
  for (const std::string& name : call.outputs) out += (out.empty() ? "" : ", ") + name;
  if (call.listResult && call.outputs.size() == 1) out += ",";
  if (!out.empty()) out += " = ";
  out += "sch." + call.primitive + "(";
  bool first = true;
  auto argument = [&](const std::string& name, const StepValue& value) {
    if (!first) out += ", ";
    first = false;
    if (!name.empty()) out += name + "=";
    out += printValue(value);
  };
  for (const StepKeyword& a : call.arguments) argument(a.name, a.value);
  if (call.decision) argument("decision", *call.decision);
  return out + ")";
}

}  // namespace loom::script
