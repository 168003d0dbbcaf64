#include "core/schedule/step_kind.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/script/step_line.h"

namespace loom::schedule {
namespace {

constexpr std::array<std::string_view, 2> kOwnScopes = {"shared.cluster", "local.wgmma"};
constexpr std::string_view kWarpgroupOperation = "wgmma_";

// Whether a line has an argument that TVM knows nothing of.
bool isForeign(std::string_view line) {
  const auto names = [&](std::string_view text) { return line.find(text) != std::string_view::npos; };
  if (!names(kWarpgroupOperation) && std::ranges::none_of(kOwnScopes, names)) return false;
  const auto calls = script::parseSchedule(std::string(line), "");
  if (!calls || calls->empty() || !calls->back().call()) return false;
  const auto isOurs = [](const script::StepValue& v) {
    return v.is(script::StepValue::Kind::String) &&
           (v.text.starts_with(kWarpgroupOperation) || std::ranges::count(kOwnScopes, std::string_view(v.text)) > 0);
  };
  const script::StepValue& call = *calls->back().call();
  return std::ranges::any_of(call.items, isOurs) ||
         std::ranges::any_of(call.keywords, [&](const script::StepKeyword& k) { return isOurs(k.value); });
}

}  // namespace

StepKind stepKind(std::string_view line) {
  if (isForeign(line)) return StepKind::Foreign;
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
