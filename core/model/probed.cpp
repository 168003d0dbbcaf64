#include "core/model/probed.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/layout/request.h"

namespace loom::model {
namespace {

using nlohmann::json;

Result<void> readFigures(const json& j, const std::string& origin, ProbeResults& probed) {
  for (const auto& [name, figure] : j.items()) {
    const auto quantity = quantityOf(name);
    if (!quantity) return deviceFileError(origin, message("\"{}\" is no figure of a device", name));
    const double value = figure.at("value");
    if (!(value > 0 && value < 1e15)) return deviceFileError(origin, message("{} is {}", name, value));
    const std::string how = figure.at("how");
    probed.figures[*quantity] = {value, fmt::format("measured by {} on {}, {}, driver {}: {}", probed.program,
                                                    probed.device, probed.date, probed.driver, how)};
  }
  return {};
}

Result<void> readFragments(const json& j, const std::string& origin, ProbeResults& probed) {
  for (const auto& [name, table] : j.items()) {
    // As double, which any number of a file fits in.
    const std::vector<double> elements = table;
    const bool fits = !elements.empty() && elements.size() % layout::kLanes == 0 &&
                      elements.size() <= layout::kLanes * 64 &&
                      std::ranges::all_of(elements, [](double e) { return e >= 0 && e < kProbedTile * kProbedTile; });
    if (!fits)
      return deviceFileError(origin, message("the table of fragment {} is none of 32 lanes and 256 elements", name));
    probed.fragments[name].assign(elements.begin(), elements.end());
  }
  return {};
}

}  // namespace

std::string ProbeResults::text() const {
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
    const std::size_t perLane = table.size() / layout::kLanes;
    for (std::size_t i = 0; i < table.size(); ++i) {
      out += fmt::format("{}{}{}", i == 0 ? "" : ",", i % perLane == 0 ? "\n   " : " ", table[i]);
    }
    out += "]";
    comma = ",";
  }
  return out + "\n }\n}\n";
}

Result<ProbeResults> parseProbeResults(const std::string& text, const std::string& origin) {
  try {
    const json j = json::parse(text);
    ProbeResults p;
    p.device = j.at("device");
    const double major = j.at("compute_capability").at(0), minor = j.at("compute_capability").at(1);
    if (!(major >= 0 && major < 100 && minor >= 0 && minor < 100))
      return deviceFileError(origin, message("needs an id, a name and a compute_capability"));
    p.major = int(major), p.minor = int(minor);
    p.date = j.at("date");
    p.driver = j.at("driver");
    p.compiler = j.at("compiler");
    p.program = j.at("program");
    if (auto read = readFigures(j.at("figures"), origin, p); !read) return Failure(read.error());
    if (auto read = readFragments(j.at("fragments"), origin, p); !read) return Failure(read.error());
    return p;
  } catch (const json::exception& e) {
    return deviceFileError(origin, verbatim(e.what()));
  }
}

Result<std::vector<ProbeResults>> loadProbeResults(const std::filesystem::path& assets) {
  std::vector<ProbeResults> all;
  for (const FigureFile& file : figureFiles(assets, "probed")) {
    auto probed = parseProbeResults(file.text, file.origin);
    if (!probed) return Failure(probed.error());
    all.push_back(std::move(*probed));
  }
  return all;
}

}  // namespace loom::model
