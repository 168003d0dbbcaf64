#include "tests/arith/iter_map_notation.h"

#include <sstream>

#include "core/arith/iter_map.h"
#include "core/arith/region.h"
#include "tests/arith/notation.h"

namespace loom::arith::notation {
namespace {

using ir::Range;

std::vector<std::string> cut(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) {
    auto first = part.find_first_not_of(' '), last = part.find_last_not_of(' ');
    parts.push_back(first == std::string::npos ? "" : part.substr(first, last - first + 1));
  }
  return parts;
}

template <class List, class Show>
std::string joined(const List& list, const char* separator, Show show) {
  std::string text;
  for (auto& item : list) text += (text.empty() ? "" : separator) + show(item);
  return text;
}

std::string showIter(const IterExpr& e);
std::string showMark(const IterMark& mark) { return "[" + showIter(mark->source) + " " + show(mark->extent) + "]"; }
std::string showIter(const IterExpr& e) {
  if (auto* plain = std::get_if<Expr>(&e)) return show(*plain);
  if (auto* split = std::get_if<IterSplit>(&e)) {
    auto& s = **split;
    return "<" + showMark(s.source) + " " + show(s.lowerFactor) + " " + show(s.extent) + " " + show(s.scale) + ">";
  }
  auto& sum = *std::get<IterSum>(e);
  return "{" + joined(sum.args, " ", [](const IterSplit& s) { return showIter(s); }) + (sum.args.empty() ? "" : " ") +
         show(sum.base) + "}";
}

std::string showSet(const IntSet& set) {
  if (set.isNothing()) return "nothing";
  return (set.min() ? show(set.min()) : "-inf") + " .. " + (set.max() ? show(set.max()) : "inf");
}
std::string showRegion(const IntRegion& region) { return joined(region, " ; ", showSet); }

// x=MIN+EXTENT …
VarRanges readRanges(const std::string& text, Reader& reader) {
  VarRanges ranges;
  std::string_view rest = text;
  while (!rest.empty()) {
    auto eq = rest.find('=');
    auto var = reader.variable(std::string(rest.substr(0, eq)));
    rest.remove_prefix(eq + 1);
    Expr min = ir::intImm(0);
    if (rest[0] == '(') {
      min = reader.read(rest);
    } else {
      auto word = rest.substr(0, rest.find('+'));
      min = reader.readAll(word);
      rest.remove_prefix(word.size());
    }
    rest.remove_prefix(1);  // +
    auto extent = reader.read(rest);
    ranges.set(var, Range{min, extent});
    while (!rest.empty() && rest[0] == ' ') rest.remove_prefix(1);
  }
  return ranges;
}

std::vector<Expr> readList(const std::string& text, Reader& reader) {
  std::vector<Expr> list;
  for (auto& part : cut(text, ';')) list.push_back(reader.readAll(part));
  return list;
}

std::vector<std::string> mapAnswers(const std::vector<std::string>& fields) {
  bool wide = fields[0].find("int64") != std::string::npos;
  Reader reader(ir::DType::Int(wide ? 64 : 32));
  std::istringstream options(fields[0]);
  int level = 0, trivial = 0;
  options >> level >> trivial;
  std::vector<Var> sub;
  for (std::string name; options >> name;)
    if (name != "int64") sub.push_back(reader.variable(name));
  auto iters = readRanges(fields[1], reader);
  auto predicate = reader.readAll(fields[2]);
  auto indices = readList(fields[3], reader);
  auto atLevel = static_cast<IterMapLevel>(level == 3 ? 2 : level);
  auto showAll = [](const auto& list) { return joined(list, " ; ", [](auto& e) { return showIter(e); }); };
  auto plain = [](const std::vector<Expr>& list) { return joined(list, " ; ", [](auto& e) { return show(e); }); };

  std::vector<std::string> out;
  Analyzer detecting, simplifying, summing, dividing;
  auto map = detectIterMap(indices, iters, predicate, atLevel, detecting, trivial);
  out.push_back(map ? showAll(map.indices) : "none");
  out.push_back(map.paddingPredicate ? show(map.paddingPredicate) : "null");
  out.push_back(plain(iterMapSimplify(indices, iters, predicate, atLevel, simplifying, trivial)));
  std::vector<IterSum> sums;
  for (auto& index : indices) sums.push_back(normalizeToIterSum(index, iters, summing));
  out.push_back(showAll(sums));
  auto division = subspaceDivide(indices, iters, sub, predicate, atLevel, dividing, trivial);
  if (!division) {
    out.push_back("none");
  } else {
    auto text =
        joined(division->bindings, " ; ", [](auto& b) { return showMark(b.outer) + " , " + showMark(b.inner); });
    out.push_back(text + " ; " + show(division->outerPredicate) + " , " + show(division->innerPredicate));
  }
  std::vector<Expr> outputs;
  for (std::size_t i = 0; i < indices.size(); ++i) outputs.push_back(reader.variable("o" + std::to_string(i)));
  if (map && level == 0) {
    auto inverse = inverseAffineIterMap(map.indices, outputs);
    if (!inverse) return out.push_back("refused"), out;
    std::map<std::string, std::string> sorted;
    for (auto& [var, value] : *inverse) sorted[var->name] = var->name + " " + show(value);
    out.push_back(joined(sorted, " ; ", [](auto& entry) { return entry.second; }));
  } else {
    out.push_back("none");
  }
  return out;
}

std::vector<std::string> regionAnswers(const std::vector<std::string>& fields) {
  Reader reader(ir::DType::Int(32));
  auto iters = readRanges(fields[1], reader);
  auto predicate = reader.readAll(fields[2]);
  std::vector<Range> region;
  for (auto& part : cut(fields[3], ';')) {
    auto ends = cut(part, ',');
    region.push_back({reader.readAll(ends[0]), reader.readAll(ends[1])});
  }
  Analyzer first, second;
  auto strict = estimateRegionStrictBound(region, iters, predicate, first);
  auto upper = estimateRegionUpperBound(region, iters, predicate, second);
  return {strict ? showRegion(*strict) : "none", showRegion(upper), showRegion(evalSet(region, asIntSets(iters)))};
}

}  // namespace

std::vector<std::string> fieldsOf(const std::string& line) { return cut(line, '|'); }

std::vector<std::string> answers(const std::vector<std::string>& fields) {
  if (fields[0] == "region") return regionAnswers(fields);
  if (fields[0] != "sets") return mapAnswers(fields);
  Reader reader(ir::DType::Int(32));
  auto iters = readRanges(fields[1], reader);
  return {showSet(evalSet(reader.readAll(fields[2]), asIntSets(iters)))};
}

}  // namespace loom::arith::notation
