#include "app/cli/tune_path.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/report.h"
#include "app/cli/table.h"
#include "app/text/messages.h"
#include "core/model/duration_text.h"

namespace loom::cli {

namespace {

using nlohmann::ordered_json;

void printPathJson(const tune::Space& space, const tune::WinnerPath& path) {
  ordered_json states = ordered_json::array();
  for (std::size_t n = 0; n < path.states.size(); ++n) {
    ordered_json state;
    if (n == 0) state["from"] = path.isFromOwn ? "own" : "construction";
    for (const int d : n == 0 ? std::vector<int>{} : path.steps[n - 1].decisions)
      state["decisions"][space.decisions[std::size_t(d)].name] = {path.states[n - 1].assignment[std::size_t(d)],
                                                                  path.states[n].assignment[std::size_t(d)]};
    if (n > 0 && !path.steps[n - 1].together.empty()) state["together"] = path.steps[n - 1].together.english();
    if (const auto time = path.timeOf(n)) state[path.isMeasured ? "measured_us" : "predicted_us"] = *time;
    if (const auto gain = n > 0 ? path.gainOf(n - 1) : std::nullopt) state["gain"] = *gain;
    states.push_back(std::move(state));
  }
  ordered_json line{{"path", std::move(states)}};
  if (path.own) {
    if (const auto time = path.timeOfOwn()) line["own"][path.isMeasured ? "measured_us" : "predicted_us"] = *time;
    line["own"]["why"] = path.own->why.english();
  }
  printJson(line);
}

}  // namespace

void printPath(const tune::PreparedSearch& prepared, const tune::WinnerPath& path, const std::string& language,
               bool json) {
  const tune::Space& space = prepared.plan.sketches[std::size_t(path.sketch)].space;
  if (json) return printPathJson(space, path);
  const auto inWords = [&](const Message& message) {
    return text::wordsOf(language == "zh" ? text::Language::kChinese : text::Language::kEnglish, message);
  };
  fmt::print("\n{} {} path to the winner\n", padded(path.isMeasured ? "measured" : "predicted", 11, true),
             padded("gain", 8, true));
  for (std::size_t n = 0; n < path.states.size(); ++n) {
    std::string what = n > 0 ? "" : path.isFromOwn ? "your schedule" : "the construction";
    for (const int d : n == 0 ? std::vector<int>{} : path.steps[n - 1].decisions)
      what += fmt::format("{}{} {} → {}", what.empty() ? "" : ", ", inWords(space.decisions[std::size_t(d)].words),
                          path.states[n - 1].assignment[std::size_t(d)], path.states[n].assignment[std::size_t(d)]);
    const auto time = path.timeOf(n), gain = n > 0 ? path.gainOf(n - 1) : std::nullopt;
    fmt::print("{} {} {}\n", padded(time ? model::durationText(*time) : "", 11, true),
               padded(gain ? fmt::format("{:.2f} x", *gain) : "", 8, true), what);
  }
  if (const auto gain = path.gain(); gain && path.steps.size() > 1)
    fmt::print("{} {} in all\n", padded("", 11, true), padded(fmt::format("{:.2f} x", *gain), 8, true));
  if (!path.own) return;
  const auto own = path.timeOfOwn(), winner = path.timeOf(path.states.size() - 1);
  fmt::print("{} {} from your schedule; no path leads from it: {}\n",
             padded(own ? model::durationText(*own) : "", 11, true),
             padded(own && winner ? fmt::format("{:.2f} x", *own / *winner) : "", 8, true), inWords(path.own->why));
}

}  // namespace loom::cli
