#include "core/schedule/sampled.h"

#include <map>
#include <optional>
#include <vector>

#include "core/script/step_text.h"

namespace loom::schedule {
namespace {

using script::StepCall;
using script::StepValue;
using Kind = StepValue::Kind;
using Place = script::TraceField::Place;

const script::TraceShape kShapes[] = {
    {"SamplePerfectTile",
     "sample_perfect_tile",
     {{"loop", Place::Input}, {"n", Place::Attribute}, {"max_innermost_factor", Place::Attribute}}},
    {"SamplePartitionedTile",
     "sample_partitioned_tile",
     {{"loop", Place::Input},
      {"n", Place::Attribute},
      {"partition_pos", Place::Attribute},
      {"innerpart_factor", Place::Attribute}}},
    {"SampleCategorical", "sample_categorical", {{"candidates", Place::Attribute}, {"probs", Place::Attribute}}},
    {"SampleComputeLocation", "sample_compute_location", {{"block", Place::Input}}},
    {"EnterPostproc", "enter_postproc", {}}};

// Where sample_compute_location puts a block that isn't put at a loop (TVM's LoopRV::InlineRV and RootRV).
constexpr std::int64_t kInline = -2, kRoot = -1;

const StepValue* keyword(const StepValue& call, std::string_view name) {
  for (const script::StepKeyword& k : call.keywords) {
    if (k.name == name) return &k.value;
  }
  return nullptr;
}

bool isList(const StepValue& v) { return v.is(Kind::List) || v.is(Kind::Tuple); }

// A number, also a negative one, which may be written as a sign and a number.
std::optional<std::int64_t> integerOf(const StepValue& v) {
  if (v.is(Kind::Int)) return v.integer;
  if (v.is(Kind::Negate) && v.items.size() == 1 && v.items[0].is(Kind::Int)) return -v.items[0].integer;
  return std::nullopt;
}

class Drawing {
 public:
  // What a call becomes: nothing where it is done with, else the call, `changed` where it isn't as it was read.
  std::optional<StepCall> operator()(StepCall call, bool& changed) {
    changed = false;
    if (StepValue& value = call.value; value.is(Kind::Call)) {
      if (value.text == "enter_postproc" && call.targets.empty()) return std::nullopt;
      if (draws(call)) return std::nullopt;
      if (moves(value, changed)) return std::nullopt;
    }
    replace(call.value, changed);
    // A name that is given anew is what it is given.
    for (const script::StepTarget& t : call.targets) {
      drawn_.erase(t.name);
      places_.erase(t.name);
    }
    return call;
  }

 private:
  bool draws(const StepCall& call) {
    const StepValue& value = call.value;
    const StepValue* decision = keyword(value, "decision");
    if (!decision) return false;
    if (value.text == "sample_perfect_tile" || value.text == "sample_partitioned_tile") {
      if (!isList(*decision)) return false;
      const bool parts = call.targets.size() == decision->items.size() && call.unpack;
      if (!parts && !(call.targets.size() == 1 && !call.unpack)) return false;
      for (const script::StepTarget& t : call.targets) {
        if (t.starred) return false;
      }
      for (std::size_t i = 0; parts && i < call.targets.size(); ++i) drawn_[call.targets[i].name] = decision->items[i];
      if (!parts) drawn_[call.targets[0].name] = *decision;
      return true;
    }
    const auto choice = integerOf(*decision);
    if (call.targets.size() != 1 || call.unpack || !choice) return false;
    const std::string& name = call.targets[0].name;
    if (value.text == "sample_categorical") {
      const StepValue* candidates = keyword(value, "candidates");
      if (!candidates && !value.items.empty()) candidates = &value.items[0];
      if (!candidates || !isList(*candidates) || *choice < 0 || *choice >= std::int64_t(candidates->items.size())) {
        return false;
      }
      drawn_[name] = candidates->items[std::size_t(*choice)];
      return true;
    }
    if (value.text != "sample_compute_location" || (*choice != kInline && *choice != kRoot)) return false;
    places_[name] = *choice;
    return true;
  }

  // A compute_at of a drawn place: at the root it does nothing, and true is given; inline it is another step.
  bool moves(StepValue& call, bool& changed) {
    const bool reverse = call.text == "reverse_compute_at";
    if (!reverse && call.text != "compute_at") return false;
    const StepValue* loop = keyword(call, "loop");
    if (!loop && call.items.size() > 1) loop = &call.items[1];
    const auto place = loop && loop->is(Kind::Name) ? places_.find(loop->text) : places_.end();
    if (place == places_.end()) return false;
    if (place->second == kRoot) return true;
    const StepValue* block = keyword(call, "block");
    if (!block && !call.items.empty()) block = &call.items[0];
    if (!block) return false;
    const StepValue what = *block;
    call.text = reverse ? "reverse_compute_inline" : "compute_inline";
    call.items = {what};
    call.keywords.clear();
    changed = true;
    return false;
  }

  void replace(StepValue& value, bool& changed) {
    if (value.is(Kind::Name)) {
      if (auto found = drawn_.find(value.text); found != drawn_.end()) {
        value = found->second;
        changed = true;
      }
      return;
    }
    for (StepValue& item : value.items) replace(item, changed);
    for (script::StepKeyword& k : value.keywords) replace(k.value, changed);
  }

  std::map<std::string, StepValue> drawn_;
  std::map<std::string, std::int64_t> places_;
};

bool samples(const std::vector<StepCall>& calls) {
  for (const StepCall& call : calls) {
    if (call.value.is(Kind::Call) && (call.value.text.starts_with("sample_") || call.value.text == "enter_postproc")) {
      return true;
    }
  }
  return false;
}

}  // namespace

const script::TraceShape* samplingShape(std::string_view kind) {
  for (const script::TraceShape& shape : kShapes) {
    if (shape.kind == kind) return &shape;
  }
  return nullptr;
}

std::string withSamplesDrawn(std::string text) {
  const auto calls = script::parseSchedule(text, "");
  if (!calls || !samples(*calls)) return text;
  std::string out;
  int line = 1;
  Drawing drawing;
  for (const StepCall& call : *calls) {
    bool changed = false;
    const auto left = drawing(call, changed);
    if (!left) continue;
    for (; line < call.place.line; ++line) out += '\n';
    out += (changed ? script::printLine(*left) : call.source) + '\n';
    ++line;
  }
  return out;
}

}  // namespace loom::schedule
