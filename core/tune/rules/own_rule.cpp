// R20: what a user's rule makes of a block.
#include "core/tune/rules/own_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/ir/build.h"
#include "core/tune/rules/expression.h"
#include "core/tune/rules/own_rule_names.h"

namespace loom::tune {

namespace {

// What expressions may name of a block and a device.
class Facts {
 public:
  Facts(const RuleInput& input, const ir::Block& block) {
    int spatial = 0, reduced = 0;
    for (const ir::IterVar& iter : block->iters) {
      const std::int64_t extent = ir::constantOr(iter.domain.extent, 0);
      const bool sums = iter.type == ir::IterType::Reduce;
      all_[fmt::format("{}{}", sums ? "r" : "s", sums ? reduced++ : spatial++)] = extent;
      allKnown_ = allKnown_ && extent > 0;
    }
    if (const auto product = productOf(input.state, input.block)) {
      all_["m"] = product->m, all_["n"] = product->n, all_["k"] = product->k, all_["batch"] = product->b0;
    }
    all_["device.threads"] = input.device.threads;
    all_["device.shared"] = input.device.sharedBytes;
    all_["device.multiprocessors"] = input.device.multiprocessors;
  }

  bool allKnown() const { return allKnown_; }
  std::optional<std::int64_t> of(std::string_view name) const {
    const auto found = all_.find(name);
    return found == all_.end() ? std::nullopt : std::optional(found->second);
  }
  Result<std::int64_t> valueOf(const std::string& expression) const {
    return evaluated(expression, [&](std::string_view name) { return of(name); });
  }

  // An expression with the numbers of facts in place of their names.
  std::string filled(const std::string& expression) const {
    std::string out;
    for (std::size_t at = 0; at < expression.size();) {
      std::size_t end = at;
      if (std::isalpha(static_cast<unsigned char>(expression[at])) != 0)
        while (end < expression.size() && isOfName(expression[end])) ++end;
      if (end == at) {
        out += expression[at++];
        continue;
      }
      const std::string name = expression.substr(at, end - at);
      const auto fact = of(name);
      out += fact ? std::to_string(*fact) : name;
      at = end;
    }
    return out;
  }

 private:
  std::map<std::string, std::int64_t, std::less<>> all_;
  bool allKnown_ = true;
};

// A line with the block's name, and with facts as numbers in its open places.
std::string lineFor(const std::string& line, const std::string& block, const Facts& facts) {
  std::string text = line;
  for (std::size_t at = text.find(kBlockPlace); at != std::string::npos; at = text.find(kBlockPlace, at))
    text.replace(at, kBlockPlace.size(), block), at += block.size();
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '?') {
      out += text[at++];
      continue;
    }
    const OpenPlace place = openPlaceAt(text, at);
    out += "?{" + facts.filled(place.expression) + "}";
    at = place.end;
  }
  return out;
}

Message kindWords(OwnRule::Kind kind) {
  using enum OwnRule::Kind;
  if (kind == Elementwise) return message("an elementwise block");
  if (kind == Reduction) return message("a reduction");
  return message("a sum of products");
}

// The first condition that the block doesn't meet; nothing: it meets all.
std::optional<Message> unmet(const OwnRule& rule, const RuleInput& input, const ir::Block& block) {
  std::int64_t spatial = 0, reduced = 0;
  for (const ir::IterVar& iter : block->iters) ++(iter.type == ir::IterType::Reduce ? reduced : spatial);
  const bool fits = rule.kind == OwnRule::Kind::Any || (rule.kind == OwnRule::Kind::Elementwise && reduced == 0) ||
                    (rule.kind == OwnRule::Kind::Reduction && reduced > 0) ||
                    (rule.kind == OwnRule::Kind::Product && productOf(input.state, input.block));
  if (!fits) return message("the block is not {}", kindWords(rule.kind));
  if (spatial < rule.spatial.least || spatial > rule.spatial.most)
    return message("{} spatial iterators, not {} to {}", spatial, rule.spatial.least, rule.spatial.most);
  if (reduced < rule.reduced.least || reduced > rule.reduced.most)
    return message("{} reduced iterators, not {} to {}", reduced, rule.reduced.least, rule.reduced.most);
  const std::string dtype = block->writes.front().buffer->dtype.str();
  if (!rule.dtypes.empty() && std::ranges::find(rule.dtypes, dtype) == rule.dtypes.end())
    return message("it writes {}, which the rule doesn't name", dtype);
  if (input.device.capability < rule.capability)
    return message("{} is older than sm_{}", input.device.architecture, rule.capability);
  return std::nullopt;
}

// Whether all names that the rule's expressions have are facts of the block or decisions of the rule.
std::optional<std::string> unknownName(const OwnRule& rule, const Facts& facts) {
  std::optional<std::string> unknown;
  eachExpression(rule, [&](const std::string& expression, const std::string&) {
    for (const std::string& name : namesIn(expression)) {
      const bool decided = std::ranges::any_of(rule.decisions, [&](const auto& d) { return d.decision == name; });
      if (!decided && !facts.of(name) && !unknown) unknown = name;
    }
  });
  return unknown;
}

// A constraint as a formula; for a table, the decisions whose combinations it lists.
std::string textOf(const OwnRule::Relation& relation) {
  switch (relation.kind) {
    case Constraint::Kind::Equal: return relation.first + " = " + relation.second;
    case Constraint::Kind::Divides: return relation.first + " | " + relation.second;
    case Constraint::Kind::Table: return fmt::format("({})", fmt::join(relation.columns, ", "));
    default: return relation.first + " ≤ " + relation.second;
  }
}

}  // namespace

RuleOutcome applyOwnRule(const OwnRule& rule, const RuleInput& input, const SketchDraft& draft) {
  const ir::Block block = input.state.tree().block(input.block);
  if (auto why = unmet(rule, input, block)) return leaves(std::move(*why));
  const Facts facts(input, block);
  if (!facts.allKnown()) return leaves(message("an extent is no number"));
  if (const auto name = unknownName(rule, facts)) return leaves(message("the block has no {}", *name));
  SketchDraft d = draft;
  for (const OwnRule::Values& decision : rule.decisions) {
    std::vector<std::int64_t> values = decision.values;
    if (values.empty()) {
      const auto number = facts.valueOf(decision.divided);
      if (!number || *number < 1) return leaves(message("{} is no positive number", decision.divided));
      values = divisorsOf(*number, decision.most);
    }
    d.decide(5, decision.decision, verbatim(decision.words.empty() ? decision.decision : decision.words),
             std::move(values));
    d.leaveToModel(decision.decision);
  }
  int number = 0;
  for (const OwnRule::Relation& relation : rule.constraints) {
    const std::string name = fmt::format("{} {}", rule.name, ++number);
    const std::string first = facts.filled(relation.first), second = facts.filled(relation.second);
    const Message words = verbatim(relation.words.empty() ? textOf(relation) : relation.words);
    if (relation.kind == Constraint::Kind::Divides) {
      d.divides(name, words, Forbids::Program, first, second);
    } else if (relation.kind == Constraint::Kind::Table) {
      d.table(name, words, Forbids::Program, relation.columns, relation.rows);
    } else {
      const auto limit = facts.valueOf(relation.second);
      if (!limit) return leaves(message("{} is no positive number", relation.second));
      if (relation.kind == Constraint::Kind::Equal) {
        d.equal(name, words, Forbids::Program, first, *limit);
      } else {
        d.atMost(name, words, Forbids::Hardware, first, *limit);
      }
    }
  }
  d.sketch.name = rule.name;
  d.begin(rule.name, block->name);
  for (const SketchLine& line : rule.lines) d.line(lineFor(line.text, block->name, facts), facts.filled(line.when));
  d.end();
  std::string extents;
  for (const ir::IterVar& iter : block->iters)
    extents += (extents.empty() ? "" : " × ") + std::to_string(ir::constantOr(iter.domain.extent, 0));
  return appliesWith(std::move(d), message("{} iterations, {}", extents, block->writes.front().buffer->dtype.str()));
}

}  // namespace loom::tune
