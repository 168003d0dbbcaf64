#include "core/tune/rules/draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>

#include "core/model/active_clusters.h"
#include "core/tune/rules/expression.h"

namespace loom::tune {

DeviceLimits limitsOf(const model::Device& device) {
  using enum model::Quantity;
  DeviceLimits limits;
  limits.architecture = device.architecture();
  limits.name = device.name;
  limits.capability = device.major * 10 + device.minor;
  const auto value = [&](model::Quantity q, auto& into) {
    if (const auto v = device.value(q)) into = static_cast<std::remove_reference_t<decltype(into)>>(*v);
  };
  value(SharedPerBlock, limits.sharedBytes);
  value(ThreadsPerBlock, limits.threads);
  value(RegistersPerBlock, limits.registers);
  value(RegistersPerThread, limits.registersPerThread);
  value(Multiprocessors, limits.multiprocessors);
  value(L2Bytes, limits.l2Bytes);
  model::Occupancy alone;
  alone.blocks = 1;
  if (const auto fours = model::activeClusters(device, alone, 4)) limits.blocksInFours = fours->blocks();
  return limits;
}

void SketchDraft::begin(const std::string& rule, const std::string& block) {
  open_ = int(sketch.folds.size());
  sketch.folds.push_back({rule, block, int(sketch.lines.size()), 0});
}

void SketchDraft::line(std::string text, std::string when) {
  sketch.lines.push_back({std::move(text), std::move(when)});
  ++sketch.folds[std::size_t(open_)].lines;
}

void SketchDraft::end() {
  if (!sketch.folds.empty() && sketch.folds.back().lines == 0) sketch.folds.pop_back();
  open_ = -1;
}

void SketchDraft::putFirst(const DraftPlace& begin, const DraftPlace& middle) {
  for (std::size_t f = begin.folds; f < sketch.folds.size(); ++f)
    sketch.folds[f].first +=
        f < middle.folds ? int(sketch.lines.size() - middle.lines) : -int(middle.lines - begin.lines);
  const auto rotate = [](auto& all, std::size_t from, std::size_t to) {
    std::rotate(all.begin() + std::ptrdiff_t(from), all.begin() + std::ptrdiff_t(to), all.end());
  };
  rotate(sketch.folds, begin.folds, middle.folds);
  rotate(sketch.lines, begin.lines, middle.lines);
}

void SketchDraft::decide(int rank, const std::string& name, const Message& words, std::vector<std::int64_t> values) {
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  sketch.space.decisions.push_back({name, words, std::move(values), false});
  ranks_.push_back(rank);
}

void SketchDraft::decideWhether(int rank, const std::string& name, const Message& words) {
  decide(rank, name, words, {0, 1});
  sketch.space.decisions.back().isYesOrNo = true;
}

void SketchDraft::leaveToModel(const std::string& decision) {
  std::ranges::find(sketch.space.decisions, decision, &Decision::name)->leftToModel = true;
}

bool SketchDraft::has(const std::string& decision) const {
  return std::ranges::any_of(sketch.space.decisions, [&](const Decision& d) { return d.name == decision; });
}

const std::vector<std::int64_t>& SketchDraft::valuesOf(const std::string& decision) const {
  return std::ranges::find(sketch.space.decisions, decision, &Decision::name)->values;
}

void SketchDraft::equal(const std::string& name, const Message& words, Forbids forbids, const std::string& product,
                        std::int64_t limit) {
  written_.push_back({{Constraint::Kind::Equal, name, words, forbids, {}, limit, {}, {}}, product, {}, {}});
}

void SketchDraft::atMost(const std::string& name, const Message& words, Forbids forbids, const std::string& sum,
                         std::int64_t limit) {
  written_.push_back({{Constraint::Kind::AtMost, name, words, forbids, {}, limit, {}, {}}, sum, {}, {}});
}

void SketchDraft::divides(const std::string& name, const Message& words, Forbids forbids, const std::string& divisor,
                          const std::string& product) {
  written_.push_back({{Constraint::Kind::Divides, name, words, forbids, {}, 0, {}, {}}, divisor, product, {}});
}

void SketchDraft::table(const std::string& name, const Message& words, Forbids forbids,
                        std::vector<std::string> columns, std::vector<std::vector<std::int64_t>> rows) {
  written_.push_back(
      {{Constraint::Kind::Table, name, words, forbids, {}, 0, {}, std::move(rows)}, {}, {}, std::move(columns)});
}

void SketchDraft::quantity(const std::string& name, const std::string& formula) {
  sketch.quantities.push_back({name, formula});
}

Result<std::vector<Product>> SketchDraft::sumOf(const std::string& text, std::int64_t& constant,
                                                const Space& space) const {
  std::vector<Product> sum;
  const auto indexOf = [&](const std::string& name) {
    const auto found = std::ranges::find(space.decisions, name, &Decision::name);
    return found == space.decisions.end() ? -1 : int(found - space.decisions.begin());
  };
  std::size_t at = 0;
  bool negative = false;
  Product term;
  const auto endTerm = [&] {
    if (negative) term.coefficient = -term.coefficient;
    std::ranges::sort(term.decisions);
    if (term.decisions.empty())
      constant += term.coefficient;
    else
      sum.push_back(term);
    term = {}, negative = false;
  };
  while (at < text.size()) {
    const char c = text[at];
    if (c == ' ' || c == '*') {
      ++at;
    } else if (c == '+' || c == '-') {
      if (at > 0) endTerm();
      negative = c == '-';
      ++at;
    } else {
      std::size_t end = at;
      while (end < text.size() && isOfName(text[end])) ++end;
      if (end == at) return fail("SketchError", message("\"{}\" is no sum of products", text), Forbids::Input);
      const std::string word = text.substr(at, end - at);
      if (word.find_first_not_of("0123456789") == std::string::npos) {
        term.coefficient *= std::stoll(word);
      } else if (const int index = indexOf(word); index >= 0) {
        term.decisions.push_back(index);
      } else {
        return fail("SketchError", message("\"{}\" names \"{}\", which is no decision", text, word), Forbids::Input);
      }
      at = end;
    }
  }
  endTerm();
  return sum;
}

Result<Sketch> SketchDraft::finish() const {
  Sketch done = sketch;
  std::vector<int> order(ranks_.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](int d) { return ranks_[std::size_t(d)]; });
  done.space.decisions.clear();
  for (int d : order) done.space.decisions.push_back(sketch.space.decisions[std::size_t(d)]);
  for (const Written& w : written_) {
    Constraint constraint = w.constraint;
    if (constraint.kind == Constraint::Kind::Table) {
      for (const std::string& column : w.columns) {
        std::int64_t constant = 0;
        auto terms = sumOf(column, constant, done.space);
        if (!terms) return Failure(terms.error());
        constraint.columns.push_back(terms->front().decisions.front());
      }
    } else {
      std::int64_t constant = 0;
      auto terms = sumOf(w.first, constant, done.space);
      if (!terms) return Failure(terms.error());
      if (constraint.kind == Constraint::Kind::AtMost) {
        constraint.limit -= constant;
        if (terms->empty() && constraint.limit >= 0) continue;  // says nothing
      } else if (terms->empty()) {
        terms->push_back({constant, {}});
      }
      constraint.terms = std::move(*terms);
      if (constraint.kind == Constraint::Kind::Divides) {
        constant = 0;
        auto more = sumOf(w.second, constant, done.space);
        if (!more) return Failure(more.error());
        if (more->empty()) more->push_back({constant, {}});
        constraint.terms.push_back(more->front());
      }
    }
    done.space.constraints.push_back(std::move(constraint));
  }
  return done;
}

std::string place(const std::string& expression) {
  return expression.find_first_not_of("0123456789") == std::string::npos ? expression : "?{" + expression + "}";
}

std::string decisionPrefix(const std::string& block) {
  constexpr std::string_view kOfProducts = "abcijk";  // operands, the result and axes; further operands with a number
  const bool isProducts = kOfProducts.find(block.front()) != std::string_view::npos &&
                          std::ranges::all_of(block.substr(1), [](char c) { return c >= '0' && c <= '9'; });
  return isProducts ? block + "_." : block + ".";
}

std::vector<std::int64_t> divisorsOf(std::int64_t number, std::int64_t most) {
  std::vector<std::int64_t> all;
  for (std::int64_t d = 1; d <= std::min(number, most); ++d)
    if (number % d == 0) all.push_back(d);
  return all;
}

}  // namespace loom::tune
