#include "core/script/evaluator.h"

namespace loom::script {

Arguments::Arguments(Evaluator& evaluator, const Node& call) : node(call), evaluator_(evaluator) {
  if (call.is(NodeKind::Subscript)) {
    const Node& index = *call.children[1];
    if (index.is(NodeKind::Tuple)) {
      for (const auto& c : index.children) {
        positional_.push_back(evaluator.evaluate(*c));
        nodes_.push_back(c.get());
      }
    } else {
      positional_.push_back(evaluator.evaluate(index));
      nodes_.push_back(&index);
    }
    positionUsed_.resize(positional_.size());
    return;
  }
  for (std::size_t i = 1; i < call.children.size(); ++i) {
    const Node& c = *call.children[i];
    if (!c.is(NodeKind::Starred)) {
      positional_.push_back(evaluator.argument(call, c));
      nodes_.push_back(&c);
      continue;
    }
    Value inner = evaluator.evaluate(*c.children[0]);
    auto* s = inner.get<Sequence>();
    if (!s) evaluator.refuse(c, message("expected a list after '*'"));
    for (const auto& item : *s->items) {
      positional_.push_back(item);
      nodes_.push_back(&c);
    }
  }
  for (const auto& k : call.keywords) {
    if (k.name == "**") evaluator.refuse(*k.value, message("'**' is not accepted in a call"));
    keywords_.emplace_back(&k, evaluator.evaluate(*k.value));
  }
  positionUsed_.resize(positional_.size());
  keywordUsed_.resize(keywords_.size());
}

const Value* Arguments::find(std::size_t position, std::string_view name) {
  if (position < positional_.size()) {
    positionUsed_[position] = true;
    return positional_[position].isNone() ? nullptr : &positional_[position];
  }
  for (std::size_t i = 0; i < keywords_.size(); ++i) {
    if (keywords_[i].first->name != name) continue;
    keywordUsed_[i] = true;
    return keywords_[i].second.isNone() ? nullptr : &keywords_[i].second;
  }
  return nullptr;
}

const Value* Arguments::keyword(std::string_view name) { return find(positional_.size(), name); }

const Node& Arguments::where(std::size_t position, std::string_view name) const {
  if (position < nodes_.size()) return *nodes_[position];
  for (const auto& [keyword, value] : keywords_) {
    if (keyword->name == name) return *keyword->value;
  }
  return node;
}

const Value& Arguments::need(std::size_t position, std::string_view name) {
  if (auto* v = find(position, name)) return *v;
  evaluator_.refuse(node, message("the argument '{}' is missing", name));
}

ir::Expr Arguments::expr(std::size_t position, std::string_view name) {
  return evaluator_.toExpr(need(position, name), where(position, name));
}

std::string Arguments::string(std::size_t position, std::string_view name) {
  return evaluator_.stringOf(need(position, name), where(position, name));
}

std::string Arguments::string(std::size_t position, std::string_view name, std::string fallback) {
  auto* v = find(position, name);
  return v ? evaluator_.stringOf(*v, where(position, name)) : fallback;
}

std::int64_t Arguments::integer(std::size_t position, std::string_view name, std::int64_t fallback) {
  auto* v = find(position, name);
  return v ? evaluator_.integerOf(*v, where(position, name)) : fallback;
}

ir::DType Arguments::dtype(std::size_t position, std::string_view name) {
  return evaluator_.dtypeOf(need(position, name), where(position, name));
}

std::vector<ir::Expr> Arguments::rest(std::size_t from) {
  std::vector<ir::Expr> exprs;
  for (std::size_t i = from; i < positional_.size(); ++i) {
    positionUsed_[i] = true;
    exprs.push_back(evaluator_.toExpr(positional_[i], *nodes_[i]));
  }
  return exprs;
}

void Arguments::drop(std::string_view name) {
  for (std::size_t i = 0; i < keywords_.size(); ++i) {
    if (keywords_[i].first->name == name) keywordUsed_[i] = true;
  }
}

void Arguments::finish() {
  for (std::size_t i = 0; i < positional_.size(); ++i) {
    if (!positionUsed_[i]) evaluator_.refuse(*nodes_[i], message("one argument too many"));
  }
  for (std::size_t i = 0; i < keywords_.size(); ++i) {
    if (!keywordUsed_[i]) {
      evaluator_.refuse(*keywords_[i].first->value,
                        message("there is no argument '{}' here", keywords_[i].first->name));
    }
  }
}

}  // namespace loom::script
