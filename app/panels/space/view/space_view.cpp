#include "app/panels/space/view/space_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/notation/quantity_text.h"
#include "core/tune/space/pinned_counts.h"
#include "core/tune/space/reduction.h"

namespace loom::session {
namespace {

std::string superscript(int exponent) {
  constexpr const char* kDigits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char digit : std::to_string(exponent)) text += kDigits[digit - '0'];
  return text;
}

void count(SpaceRow& row, const std::vector<tune::Count>& ofValues) {
  double all = 0;
  for (const tune::Count n : ofValues) all += static_cast<double>(n);
  for (std::size_t v = 0; v < ofValues.size(); ++v) {
    row.values[v].schedules = ofValues[v];
    row.values[v].share = all > 0 ? static_cast<double>(ofValues[v]) / all : 0;
  }
}

}  // namespace

SpaceView spaceViewOf(const CountedSketch& counted, const tune::Pins& pins) {
  const tune::Space& space = counted.sketch.space;
  SpaceView view;
  for (std::size_t d = 0; d < space.decisions.size(); ++d) {
    const tune::Decision& decision = space.decisions[d];
    SpaceRow row{decision.words, decision.name, pins.isPinned(static_cast<int>(d)), decision.isYesOrNo, {}, {}};
    for (std::size_t v = 0; v < decision.values.size(); ++v) {
      row.values.push_back({decision.values[v], pins.allows(static_cast<int>(d), static_cast<int>(v)), {}, 0});
    }
    for (std::size_t c = 0; c < space.constraints.size(); ++c) {
      const auto own = tune::decisionsOf(space.constraints[c]);
      if (std::binary_search(own.begin(), own.end(), static_cast<int>(d))) {
        row.constraints.push_back(static_cast<int>(c));
      }
    }
    view.rows.push_back(std::move(row));
  }
  if (!counted.diagram) return view;
  const tune::PinnedCounts counts(*counted.diagram, pins);
  view.schedules = counts.count();
  const auto marginals = counts.marginals();
  for (std::size_t d = 0; d < view.rows.size(); ++d) {
    if (!view.rows[d].isPinned) {
      count(view.rows[d], marginals[d]);
      continue;
    }
    tune::Pins others = pins;
    others.release(static_cast<int>(d));
    count(view.rows[d], tune::PinnedCounts(*counted.diagram, others).marginals()[d]);
  }
  return view;
}

std::string schedulesText(tune::Count count) {
  constexpr tune::Count kInFull = 10'000'000;  // all digits of less are read as fast as a power of ten
  if (count < kInFull) return exactText(count);
  int exponent = static_cast<int>(tune::digitsOf(count).size()) - 1;
  std::string mantissa = fmt::format("{:.3f}", static_cast<double>(count) / std::pow(10.0, exponent));
  if (mantissa == "10.000") {
    mantissa = "1.000";
    ++exponent;
  }
  return mantissa + "·10" + superscript(exponent);
}

std::string exactText(tune::Count count) { return notation::digitsText(tune::digitsOf(count)); }

}  // namespace loom::session
