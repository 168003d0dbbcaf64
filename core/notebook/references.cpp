// What a statement refers to, without running it.
#include "core/notebook/interpreter.h"

namespace loom::notebook {

using script::NodeKind;
using script::StatementKind;

bool Interpreter::touchesSchedule(const Value& v, std::set<const void*>& seen, int depth) {
  if (depth > 20) return false;
  if (v.get<std::shared_ptr<Schedule>>() || v.get<std::shared_ptr<Handle>>() || v.get<Pending>()) return true;
  if (seen.size() > 200) return true;  // more than is looked at: it may
  if (auto* s = v.sequence()) {
    if (!seen.insert(s).second) return false;
    for (const Value& item : s->items) {
      if (touchesSchedule(item, seen, depth + 1)) return true;
    }
  }
  if (auto* d = v.dictionary()) {
    if (!seen.insert(d).second) return false;
    for (const auto& [key, item] : d->items) {
      if (touchesSchedule(item, seen, depth + 1)) return true;
    }
  }
  if (auto* m = v.get<Method>()) return touchesSchedule(*m->object, seen, depth + 1);
  if (auto* f = v.get<std::shared_ptr<Function>>()) {
    if (!seen.insert(f->get()).second) return false;
    if (const Statement* definition = (*f)->definition) {
      for (const auto& s : definition->body) {
        if (touchesSchedule(*s, seen)) return true;
      }
    } else {
      return touchesSchedule(*(*f)->lambda, seen);
    }
  }
  return false;
}

bool Interpreter::touchesSchedule(const Node& n, std::set<const void*>& seen) {
  if (n.is(NodeKind::Name)) {
    Value* v = lookup(n.text);
    return v && touchesSchedule(*v, seen);
  }
  // What is only asked of a schedule changes nothing: sch.mod, sch.trace, sch.show().
  if (n.is(NodeKind::Attribute) && (n.text == "mod" || n.text == "trace" || n.text == "show")) return false;
  for (const auto& c : n.children) {
    if (c && touchesSchedule(*c, seen)) return true;
  }
  for (const auto& k : n.keywords) {
    if (touchesSchedule(*k.value, seen)) return true;
  }
  for (const auto& clause : n.clauses) {
    if (touchesSchedule(*clause.iterable, seen)) return true;
  }
  return false;
}

bool Interpreter::touchesSchedule(const Statement& s, std::set<const void*>& seen) {
  if (s.value && touchesSchedule(*s.value, seen)) return true;
  for (const auto& item : s.items) {
    if (touchesSchedule(*item.context, seen)) return true;
  }
  for (const auto* list : {&s.body, &s.orelse, &s.last}) {
    for (const auto& inner : *list) {
      if (touchesSchedule(*inner, seen)) return true;
    }
  }
  for (const auto& h : s.handlers) {
    for (const auto& inner : h.body) {
      if (touchesSchedule(*inner, seen)) return true;
    }
  }
  return false;
}

// What a statement that is passed over would have assigned isn't known after it.
void Interpreter::forgetAssigned(const Statement& s, const Message& why) {
  auto forget = [&](const Node& target, auto&& self) -> void {
    if (target.is(NodeKind::Name)) return set(target.text, opaque(why));
    if (target.is(NodeKind::Subscript)) return self(*target.children[0], self);
    if (target.is(NodeKind::Tuple) || target.is(NodeKind::List) || target.is(NodeKind::Starred)) {
      for (const auto& c : target.children) self(*c, self);
    }
  };
  for (const auto& t : s.targets) forget(*t, forget);
  for (const auto& item : s.items) {
    if (item.target) forget(*item.target, forget);
  }
  for (const auto* list : {&s.body, &s.orelse, &s.last}) {
    for (const auto& inner : *list) forgetAssigned(*inner, why);
  }
  for (const auto& h : s.handlers) {
    for (const auto& inner : h.body) forgetAssigned(*inner, why);
  }
}

}  // namespace loom::notebook
