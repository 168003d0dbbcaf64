#include "app/panels/step/parameter_text.h"

#include "app/panels/step/words.h"
#include "app/ui/look.h"
#include "app/ui/text.h"
#include "core/tune/step_form.h"

namespace loom::panels {

namespace words = text::step;
using schedule::ParameterType;
using schedule::Value;

bool isWritten(ParameterType type) {
  switch (type) {
    case ParameterType::Int:
    case ParameterType::String:
    case ParameterType::OptionalString:
    case ParameterType::Factors:
    case ParameterType::Annotation:
    case ParameterType::Integers:
    case ParameterType::Floats:
    case ParameterType::OptionalInt:
    case ParameterType::OptionalIntegers:
    case ParameterType::IndexMap:
    case ParameterType::PadValue:
    case ParameterType::ThreadAxis:
    case ParameterType::StorageScope: return true;
    default: return false;
  }
}

bool isPlainWord(const schedule::Parameter& parameter, const std::string& typed) {
  const bool words = parameter.type == ParameterType::String || parameter.type == ParameterType::ThreadAxis ||
                     parameter.type == ParameterType::StorageScope ||
                     (parameter.type == ParameterType::OptionalString && typed != "None");
  return words && !typed.empty() && typed.front() != '"';
}

std::string typedText(const schedule::Parameter& parameter, const Value& value, const schedule::State& state) {
  const auto* text = value.as<std::string>();
  const bool plain = text != nullptr && (text->empty() || isPlainWord(parameter, *text));
  return plain ? *text : tune::printValue(state, value);
}

const char* example(const schedule::Parameter& parameter) {
  switch (parameter.type) {
    case ParameterType::Factors: return "[None, 16]";
    case ParameterType::Int: return parameter.unit.empty() ? "0" : "16";  // an index, or a number of something
    case ParameterType::ThreadAxis: return "\"threadIdx.x\"";
    case ParameterType::StorageScope: return "\"shared\"";
    case ParameterType::OptionalString: return "None";
    case ParameterType::Integers: return "[16, 16]";
    case ParameterType::Floats: return "[0.5, 0.5]";
    case ParameterType::OptionalInt: return "0";
    case ParameterType::OptionalIntegers: return "[4, 4, 16]";
    case ParameterType::IndexMap: return "lambda i, j: (j, i)";
    case ParameterType::PadValue: return "0.0";
    default: return "\"…\"";
  }
}

std::optional<std::int64_t> innerFactor(const Value& factors) {
  const auto* list = factors.as<schedule::List>();
  if (list == nullptr || list->size() != 2) return std::nullopt;
  const auto* inner = list->back().as<std::int64_t>();
  return inner != nullptr && *inner > 0 ? std::optional(*inner) : std::nullopt;
}

std::string wavesText(const window::Look& look, const tune::WaveHints& hints, std::int64_t inner) {
  const tune::WaveFit fit = hints.fitOf(inner);
  return say(look, words::kWaves, fit.tiles, fit.waves, fit.waves * inner);
}

}  // namespace loom::panels
