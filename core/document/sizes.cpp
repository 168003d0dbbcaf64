#include "core/document/sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/ir/build.h"
#include "core/ir/substitute.h"
#include "core/lower/instance.h"

namespace loom::document {
namespace {

constexpr double kExtent = 1024, kSecondExtent = 1000, kNumber = 2;

Failure badSize(Message message) { return fail("ValueError", std::move(message), Forbids::Input); }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

double defaultOf(const ir::Symbol& s, double extent) {
  if (s.var->dtype.isBool()) return 1;
  if (s.role == ir::SymbolRole::Extent) return s.var->dtype.bits < 16 ? 64 : extent;
  return kNumber;
}

// Strides and offsets that nobody names, once the extents have values: as if stored row by row.
void storeRowByRow(const std::vector<ir::Symbol>& symbols, const std::vector<std::string>& unnamed,
                   ir::Numbers& numbers) {
  auto isUnnamed = [&](const ir::Symbol& s) {
    return std::find(unnamed.begin(), unnamed.end(), s.name) != unnamed.end();
  };
  for (const ir::Symbol& s : symbols) {
    if (!isUnnamed(s)) continue;
    if (s.role == ir::SymbolRole::Offset) numbers[s.name] = 0;
    if (s.role != ir::SymbolRole::Stride) continue;
    double step = 1;
    for (std::size_t d = s.dimension + 1; d < s.buffer->shape.size(); ++d) {
      // The extents' symbols come before their buffer's strides.
      ir::VarMap values;
      for (const ir::Symbol& other : symbols) {
        if (auto value = lower::valueOf(other, numbers)) values[other.var.get()] = *value;
      }
      arith::Analyzer analyzer;
      step *= double(ir::constantOr(analyzer.simplify(ir::substitute(s.buffer->shape[d], values)), 1));
    }
    numbers[s.name] = step;
  }
}

}  // namespace

std::string numberText(double value) {
  return value == std::floor(value) && std::abs(value) < 1e15 ? fmt::format("{:.0f}", value) : fmt::format("{}", value);
}

Result<void> Sizes::name(std::string_view words) {
  const std::size_t equals = words.find('=');
  const std::string_view symbol = trimmed(words.substr(0, equals));
  if (equals == std::string_view::npos || symbol.empty())
    return badSize(message("\"{}\" names no size: n=1000,1024 is expected", words));
  std::vector<double> values;
  std::string_view rest = words.substr(equals + 1);
  while (true) {
    const std::size_t comma = rest.find(',');
    const std::string_view one = trimmed(rest.substr(0, comma));
    double value = 0;
    const auto read = std::from_chars(one.data(), one.data() + one.size(), value);
    if (one.empty() || read.ec != std::errc() || read.ptr != one.data() + one.size() || !std::isfinite(value))
      return badSize(message("\"{}\" is no number for {}", one, symbol));
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  named[std::string(symbol)] = std::move(values);
  return {};
}

Result<Sizes> Sizes::read(std::string_view text) {
  Sizes sizes;
  while (!trimmed(text).empty()) {
    const std::size_t end = text.find(';');
    if (auto done = sizes.name(text.substr(0, end)); !done) return Failure(done.error());
    text = end == std::string_view::npos ? "" : text.substr(end + 1);
  }
  return sizes;
}

std::string Sizes::text() const {
  std::string all;
  for (const auto& [name, values] : named) {
    all += fmt::format("{}{} = ", all.empty() ? "" : "; ", name);
    for (std::size_t i = 0; i < values.size(); ++i) all += (i ? ", " : "") + numberText(values[i]);
  }
  return all;
}

Result<void> Sizes::check(const ir::FunctionNode& function) const {
  const auto symbols = ir::symbolsOf(function);
  std::string known;
  for (const ir::Symbol& s : symbols) known += (known.empty() ? "" : ", ") + s.name;
  std::size_t combinations = 1;
  for (const auto& [name, values] : named) {
    auto symbol =
        std::find_if(symbols.begin(), symbols.end(), [&, &name = name](const auto& s) { return s.name == name; });
    if (symbol == symbols.end()) {
      return badSize(known.empty() ? message("the function has no number {}: all of its shapes are constant", name)
                                   : message("the function has no number {}; its numbers are {}", name, known));
    }
    for (double value : values) {
      if (auto fine = lower::valueOf(*symbol, {{name, value}}); !fine) return Failure(fine.error());
    }
    combinations *= values.size();
    if (combinations > kMost)
      return badSize(message("more than {} combinations of sizes are named: all of them would be checked", kMost));
  }
  return {};
}

std::vector<SizeChoice> choicesOf(const Sizes& sizes, const ir::FunctionNode& function) {
  const auto symbols = ir::symbolsOf(function);
  std::vector<SizeChoice> choices(1);
  bool anyExtent = false;  // by default
  for (const ir::Symbol& s : symbols) {
    const std::string& name = s.name;
    auto found = sizes.named.find(name);
    if (found == sizes.named.end()) {
      anyExtent = anyExtent || s.role == ir::SymbolRole::Extent;
      for (SizeChoice& c : choices) {
        c.numbers[name] = defaultOf(s, kExtent);
        c.byDefault.push_back(name);
      }
      continue;
    }
    std::vector<SizeChoice> more;
    for (const SizeChoice& c : choices) {
      for (double value : found->second) {
        more.push_back(c);
        more.back().numbers[name] = value;
      }
    }
    choices = std::move(more);
  }
  if (anyExtent) {
    const std::size_t count = choices.size();
    for (std::size_t i = 0; i < count; ++i) {
      SizeChoice c = choices[i];
      for (const ir::Symbol& s : symbols) {
        if (s.role == ir::SymbolRole::Extent && !sizes.named.count(s.name))
          c.numbers[s.name] = defaultOf(s, kSecondExtent);
      }
      c.onlyChecked = true;
      choices.push_back(std::move(c));
    }
  }
  for (SizeChoice& c : choices) {
    storeRowByRow(symbols, c.byDefault, c.numbers);
    for (const ir::Symbol& s : symbols)
      c.text += fmt::format("{}{} = {}", c.text.empty() ? "" : ", ", s.name, numberText(c.numbers[s.name]));
  }
  return choices;
}

std::string defaultsIn(const SizeChoice& choice) {
  std::string text;
  for (const std::string& name : choice.byDefault)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, numberText(choice.numbers.at(name)));
  return text.empty() ? text : text + " by default";
}

nlohmann::ordered_json toJson(const Sizes& sizes) {
  nlohmann::ordered_json j = nlohmann::ordered_json::object();
  for (const auto& [name, values] : sizes.named) {
    j[name] = nlohmann::ordered_json::array();
    for (double v : values) {
      // Whole numbers are written as such.
      if (v == std::floor(v) && std::abs(v) < 1e15) {
        j[name].push_back(std::int64_t(v));
      } else {
        j[name].push_back(v);
      }
    }
  }
  return j;
}

Result<Sizes> sizesFromJson(const nlohmann::ordered_json& j) {
  auto bad = [](const std::string& what) {
    return fail("ParseError", message("/sizes{}: a list of numbers for each name is expected", what), Forbids::Input);
  };
  if (!j.is_object()) return bad("");
  Sizes sizes;
  for (const auto& [name, values] : j.items()) {
    if (!values.is_array() || values.empty()) return bad("/" + name);
    for (const auto& v : values) {
      if (!v.is_number() || !std::isfinite(v.get<double>())) return bad("/" + name);
      sizes.named[name].push_back(v.get<double>());
    }
  }
  return sizes;
}

}  // namespace loom::document
