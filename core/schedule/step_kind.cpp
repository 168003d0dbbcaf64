#include "core/schedule/step_kind.h"

#include <string>

#include "core/script/step_line.h"

namespace loom::schedule {

StepKind stepKind(std::string_view line) {
  if (line.find("annotate") == std::string_view::npos) return StepKind::Exact;  // most lines; parsing is dearer
  const auto calls = script::parseSchedule(std::string(line), "");
  if (!calls || calls->empty() || calls->back().primitive() != "annotate") return StepKind::Exact;
  const script::StepValue& call = *calls->back().call();
  auto isOurs = [](const script::StepValue& v) {
    return v.is(script::StepValue::Kind::String) && v.text.starts_with("tileloom.");
  };
  if (call.items.size() > 1 && isOurs(call.items[1])) return StepKind::Annotated;
  for (const script::StepKeyword& k : call.keywords)
    if (k.name == "ann_key" && isOurs(k.value)) return StepKind::Annotated;
  return StepKind::Exact;
}

}  // namespace loom::schedule
