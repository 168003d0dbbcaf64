#include "core/model/probed.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/layout/fit.h"

namespace loom::model {
namespace {

using nlohmann::json;

constexpr int kLanes = 32;
constexpr int kTile = 16;

Failure bad(const std::string& origin, const std::string& what) {
  return fail("DeviceFileError", origin + ": " + what, Forbids::Input);
}

Result<void> readFigures(const json& j, const std::string& origin, Probed& probed) {
  for (const auto& [name, figure] : j.items()) {
    const auto quantity = quantityOf(name);
    if (!quantity) return bad(origin, fmt::format("\"{}\" is no figure of a device", name));
    const double value = figure.at("value");
    if (!(value > 0 && value < 1e15)) return bad(origin, fmt::format("{} is {}", name, value));
    const std::string how = figure.at("how");
    probed.figures[*quantity] = {value, fmt::format("measured by {} on {}, {}, driver {}: {}", probed.program,
                                                    probed.device, probed.date, probed.driver, how)};
  }
  return {};
}

Result<void> readFragments(const json& j, const std::string& origin, Probed& probed) {
  for (const auto& [name, table] : j.items()) {
    std::vector<int> elements = table;
    const bool fits = !elements.empty() && elements.size() % kLanes == 0 && elements.size() <= kLanes * 64 &&
                      std::all_of(elements.begin(), elements.end(), [](int e) { return e >= 0 && e < kTile * kTile; });
    if (!fits) return bad(origin, fmt::format("the table of fragment {} is none of 32 lanes and 256 elements", name));
    probed.fragments[name] = std::move(elements);
  }
  return {};
}

}  // namespace

std::string Probed::text() const {
  json figuresOut = json::object();
  for (const auto& [quantity, figure] : figures) {
    figuresOut[nameOf(quantity)] = {{"value", figure.value}, {"how", figure.source}};
  }
  nlohmann::ordered_json j;
  j["device"] = device;
  j["compute_capability"] = {major, minor};
  j["date"] = date;
  j["driver"] = driver;
  j["compiler"] = compiler;
  j["program"] = program;
  j["figures"] = figuresOut;
  std::string out = j.dump(1);
  // A lane a line: the tables are read by people, too.
  out.resize(out.rfind('\n'));
  out += ",\n \"fragments\": {";
  const char* comma = "";
  for (const auto& [name, table] : fragments) {
    out += fmt::format("{}\n  \"{}\": [", comma, name);
    const std::size_t perLane = table.size() / kLanes;
    for (std::size_t i = 0; i < table.size(); ++i) {
      out += fmt::format("{}{}{}", i == 0 ? "" : ",", i % perLane == 0 ? "\n   " : " ", table[i]);
    }
    out += "]";
    comma = ",";
  }
  return out + "\n }\n}\n";
}

Result<Probed> parseProbed(const std::string& text, const std::string& origin) {
  try {
    const json j = json::parse(text);
    Probed p;
    p.device = j.at("device");
    p.major = j.at("compute_capability").at(0);
    p.minor = j.at("compute_capability").at(1);
    p.date = j.at("date");
    p.driver = j.at("driver");
    p.compiler = j.at("compiler");
    p.program = j.at("program");
    if (auto read = readFigures(j.at("figures"), origin, p); !read) return Failure(read.error());
    if (auto read = readFragments(j.at("fragments"), origin, p); !read) return Failure(read.error());
    return p;
  } catch (const json::exception& e) {
    return bad(origin, e.what());
  }
}

Result<std::vector<Probed>> loadProbed(const std::filesystem::path& assets) {
  std::vector<Probed> all;
  for (const FigureFile& file : figureFiles(assets, "probed")) {
    auto probed = parseProbed(file.text, file.origin);
    if (!probed) return Failure(probed.error());
    all.push_back(std::move(*probed));
  }
  return all;
}

std::string fragmentName(layout::Operand operand, bool halves) {
  switch (operand) {
    case layout::Operand::A: return "a";
    case layout::Operand::B: return "b";
    case layout::Operand::Accumulator: break;
  }
  return halves ? "accumulator_f16" : "accumulator_f32";
}

std::string fragmentNote(const Probed& probed) {
  return fmt::format(
      "PTX leaves wmma's fragment layout open; this is the one that a probe kernel showed on {} (sm_{}{}) on {}",
      probed.device, probed.major, probed.minor, probed.date);
}

Result<layout::Layout> fragmentLayout(const Probed& probed, const std::string& fragment) {
  const auto at = probed.fragments.find(fragment);
  if (at == probed.fragments.end()) {
    return fail("UnknownFragment", fmt::format("no probe of fragment {} on {}", fragment, probed.device),
                Forbids::Environment);
  }
  const std::vector<int>& table = at->second;
  const std::size_t perLane = table.size() / kLanes;
  // Some fragments hold everything twice in a lane; the second half is then the first again.
  std::size_t kept = perLane;
  auto repeats = [&] {
    for (int lane = 0; lane < kLanes; ++lane) {
      const auto* begin = table.data() + lane * perLane;
      if (!std::equal(begin, begin + kept / 2, begin + kept / 2)) return false;
    }
    return true;
  };
  while (kept % 2 == 0 && kept > 2 && repeats()) kept /= 2;
  std::vector<layout::Point> points;
  for (int lane = 0; lane < kLanes; ++lane) {
    for (std::size_t i = 0; i < kept; ++i) {
      const int element = table[lane * perLane + i];
      points.push_back({element / kTile, element % kTile});
    }
  }
  std::vector<layout::Dimension> inputs{{"lane", kLanes}};
  if (fragment.ends_with("f32")) {
    inputs.push_back({"register", std::int64_t(kept)});
  } else {
    inputs.push_back({"register", std::int64_t(kept / 2)});
    inputs.push_back({"half", 2});
  }
  return layout::fitDigits(inputs, {{"row", kTile}, {"column", kTile}}, points);
}

}  // namespace loom::model
