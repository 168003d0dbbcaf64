#include "core/script/function_reader.h"

#include <algorithm>

#include "core/ir/build.h"
#include "core/ir/visit.h"

namespace loom::script {

using ir::DType;
using ir::Expr;
using ir::Stmt;

void FunctionReader::defineConstant(const Statement& assignment) {
  Value value = evaluate(*assignment.value);
  for (const auto& target : assignment.targets) {
    if (target->is(NodeKind::Name)) scopes_.back().erase(target->text);
    assign(*target, value, [](const std::string&, Value v, const Node&) { return v; });
  }
}

ir::Function FunctionReader::read(const Statement& definition, bool isPrivate) {
  ir::FunctionNode f;
  f.name = definition.text;
  function_ = &f;
  frames_.clear();
  loops_.clear();
  rootAllocs_.clear();
  visible_.clear();
  declared_.clear();
  symbols_.clear();
  allocations_.clear();
  envThreads_.clear();
  Scope scope(*this, FrameKind::Function);
  for (const auto& p : definition.parameters) parameter(p, f);
  ir::Id rootId = ids_.next();
  Stmt inner = body(definition.body);
  return finish(definition, f, inner, rootId, isPrivate);
}

void FunctionReader::parameter(const Parameter& p, ir::FunctionNode& f) {
  if (p.name.find_first_of("*/") == 0)
    refuse(p.line, p.column, message("expected a parameter's name, found '{}'", p.name));
  if (!p.annotation) refuse(p.line, p.column, message("expected a type for the parameter '{}'", p.name));
  if (p.fallback) refuse(*p.fallback, message("a parameter has no default value here"));
  Value type = evaluate(*p.annotation);
  Value bound;
  if (auto* buffer = type.get<ir::Buffer>()) {
    bound = bindAssigned(p.name, type, *p.annotation);
    f.params.push_back({ir::makeVar(p.name + "_handle", DType::Handle()), *bound.get<ir::Buffer>()});
    visible_.push_back(*buffer);
  } else {
    DType dtype;
    if (auto* name = type.get<TypeName>()) {
      dtype = name->dtype;
    } else if (auto* e = type.get<Expr>(); e && ir::asVar(*e)) {
      dtype = (*e)->dtype;
    } else {
      refuse(*p.annotation, message("expected T.Buffer(…), T.handle or a dtype as the parameter's type"));
    }
    Expr known = symbol(p.name, dtype);
    auto var = known ? ir::varOf(known) : ir::makeVar(p.name, dtype);
    f.params.push_back({var, nullptr});
    bound = {Expr(var)};
  }
  define(p.name, bound, p.line, p.column);
}

Expr FunctionReader::symbolicExtent(const std::string& text, const Node& at) {
  auto parsed = parseExpression(SourceText{text, ""});
  if (!parsed) refuse(at, message("expected a variable or an expression in quotes; {}", parsed.error().message));
  defineSymbols(**parsed, at);
  Expr extent = expression(**parsed);
  if (!extent->dtype.isIntegral() || !extent->dtype.isScalar()) refuse(at, message("expected an integer extent"));
  return extent;
}

void FunctionReader::defineSymbols(Node& n, const Node& at) {
  n.line = at.line;
  n.column = at.column;
  if (n.is(NodeKind::Name) && !find(n.text)) {
    auto var = ir::makeVar(n.text);
    symbols_.try_emplace(n.text, var);
    define(n.text, {Expr(var)}, at.line, at.column);
  }
  if (!scriptName(n).empty()) return;
  for (auto& child : n.children) {
    if (child) defineSymbols(*child, at);
  }
}

// The variable that a quoted extent brought in before its definition was met, or null.
Expr FunctionReader::symbol(const std::string& name, DType dtype) const {
  auto it = symbols_.find(name);
  return it != symbols_.end() && it->second->dtype == dtype ? it->second : nullptr;
}

Stmt FunctionReader::body(const Statements& list, std::size_t from) {
  std::vector<Stmt> stmts;
  for (std::size_t i = from; i < list.size(); ++i) {
    if (statement(list, i, stmts)) break;
  }
  return ir::seq(std::move(stmts));
}

bool FunctionReader::statement(const Statements& list, std::size_t index, std::vector<Stmt>& into) {
  const Statement& s = *list[index];
  switch (s.kind) {
    case StatementKind::Pass: return false;
    case StatementKind::Expression: expressionStatement(s, into); break;
    case StatementKind::Assign:
    case StatementKind::Annotated: assignment(s, into); break;
    case StatementKind::Augmented: augmented(s, into); break;
    case StatementKind::For: into.push_back(forStatement(s)); return false;
    case StatementKind::While: into.push_back(whileStatement(s)); return false;
    case StatementKind::If: into.push_back(ifStatement(s)); return false;
    case StatementKind::With: withStatement(s, 0, into); return false;
    case StatementKind::Return:
      if (!s.value) refuse(s.line, s.column, message("expected a value to return"));
      if (Expr e = expression(*s.value)) into.push_back(ir::evaluate(ir::call(e->dtype, "ret", {e})));
      return false;
    case StatementKind::Break: into.push_back(ir::evaluate(ir::call(DType::Void(), "break_loop", {}))); return false;
    case StatementKind::Continue:
      into.push_back(ir::evaluate(ir::call(DType::Void(), "continue_loop", {})));
      return false;
    default: refuse(s.line, s.column, message("this statement has no place in a TVMScript function"));
  }
  if (lets_.empty() && attributes_.empty() && launches_.empty()) return false;
  Nesting nesting(*this, s.line, s.column);
  auto lets = std::exchange(lets_, {});
  auto attributes = std::exchange(attributes_, {});
  auto launches = std::exchange(launches_, {});
  for (const auto& launch : launches) loops_.emplace_back(launch.var, ir::Range{launch.min, launch.extent});
  Stmt rest = body(list, index + 1);
  loops_.resize(loops_.size() - launches.size());
  for (auto& launch : launches) {
    launch.body = rest;
    rest = std::make_shared<const ir::ForNode>(std::move(launch));
  }
  for (auto it = attributes.rbegin(); it != attributes.rend(); ++it) {
    auto attr = std::make_shared<ir::AttrNode>();
    attr->node = it->first;
    attr->key = it->second.first;
    attr->value = it->second.second;
    attr->body = rest;
    rest = attr;
  }
  for (auto it = lets.rbegin(); it != lets.rend(); ++it) {
    auto let = std::make_shared<ir::LetStmtNode>();
    let->var = it->first;
    let->value = it->second;
    let->body = rest;
    rest = let;
  }
  into.push_back(rest);
  return true;
}

void FunctionReader::expressionStatement(const Statement& s, std::vector<Stmt>& into) {
  const Node& node = *s.value;
  if (node.is(NodeKind::Call)) {
    std::string name = scriptName(*node.children[0]);
    if (!name.empty() && scriptStatement(name, node, into)) return;
  }
  Value value = evaluate(node);
  if (value.isNone() || value.get<std::string>()) return;  // a docstring
  if (value.get<ir::Buffer>()) refuse(node, message("expected 'name = ' before the buffer"));
  Expr e = toExpr(value, node);
  if (!launches_.empty() && ir::asVar(e) && envThreads_.count(ir::asVar(e))) return;  // T.launch_thread(bx, 128)
  if (isUnnamed(ir::asVar(e))) refuse(node, message("expected 'name = ' before this declaration"));
  into.push_back(ir::evaluate(e));
}

bool FunctionReader::scriptStatement(const std::string& name, const Node& call, std::vector<Stmt>& into) {
  if (name == "reads" || name == "writes") {
    setRegions(name, call);
  } else if (name == "where") {
    OpenBlock& block = currentBlock(call, "T.where");
    Arguments arguments(*this, call);
    Expr predicate = arguments.expr(0, "predicate");
    arguments.finish();
    if (block.predicate) refuse(call, message("the block has a T.where already"));
    if (auto* i = ir::asInt(predicate); i && (i->value == 0 || i->value == 1)) predicate = ir::boolImm(i->value == 1);
    if (!predicate->dtype.isBool())
      refuse(call, message("expected a condition, found dtype {}", predicate->dtype.str()));
    block.predicate = predicate;
  } else if (name == "block_attr" || name == "sblock_attr") {
    addAttributes(currentBlock(call, "T." + name).block.annotations, call);
  } else if (name == "func_attr") {
    if (frames_.size() != 1) refuse(call, message("expected T.func_attr at the top of the function"));
    addAttributes(function_->attrs, call);
  } else if (name == "evaluate") {
    Arguments arguments(*this, call);
    into.push_back(ir::evaluate(arguments.expr(0, "value")));
    arguments.finish();
  } else if (name == "buffer_store") {
    refuse(call, message("expected buffer[indices] = value"));
  } else if (name == "attr") {
    Arguments arguments(*this, call);
    Expr node = arguments.expr(0, "node");
    std::string key = arguments.string(1, "attr_key");
    Expr value = arguments.expr(2, "value");
    arguments.finish();
    attributes_.push_back({node, {key, value}});
  } else if (name == "let" || name == "LetStmt" || name == "block" || name == "sblock" || name == "init") {
    refuse(call, message("expected 'with T.{}(…):'", name));
  } else {
    return false;
  }
  return true;
}

void FunctionReader::assignment(const Statement& s, std::vector<Stmt>& into) {
  if (s.targets.size() != 1) refuse(s.line, s.column, message("a = b = … is not accepted here"));
  const Node& target = *s.targets[0];
  auto bind = [this](const std::string& name, Value v, const Node& at) { return bindAssigned(name, std::move(v), at); };
  if (s.kind == StatementKind::Annotated) {
    if (!s.value || !target.is(NodeKind::Name)) refuse(target, message("expected 'name: type = value'"));
    Expr value = expression(*s.value);
    Value type = evaluate(*s.annotation);
    auto* e = type.get<Expr>();
    DType dtype = e && ir::asVar(*e) ? (*e)->dtype : dtypeOf(type, *s.annotation);
    auto var = ir::makeVar(target.text, dtype);
    if (value->dtype != dtype) {
      if (value->dtype.isHandle() || dtype.isHandle())
        refuse(*s.value, message("expected a value of dtype {}", dtype.str()));
      value = ir::cast(dtype, value);
    }
    define(target.text, {Expr(var)}, target.line, target.column);
    lets_.push_back({var, value});
    return;
  }
  Value value = operand(*s.value);  // slices make a vector
  if (target.is(NodeKind::Subscript)) {
    into.push_back(storeTo(target, value));
  } else {
    assign(target, value, bind);
  }
}

void FunctionReader::augmented(const Statement& s, std::vector<Stmt>& into) {
  const Node& target = *s.targets[0];
  if (!target.is(NodeKind::Subscript)) refuse(target, message("expected an element of a buffer before '{}='", s.text));
  Value left = evaluate(target), right = evaluate(*s.value);
  into.push_back(storeTo(target, operate(s.text, left, right, target)));
}

Stmt FunctionReader::storeTo(const Node& target, const Value& value) {
  Value place = operand(target);
  auto* e = place.get<Expr>();
  auto* load = e ? ir::asLoad(*e) : nullptr;
  if (!load) refuse(target, message("expected an element of a buffer to assign to"));
  DType wanted = load->dtype;
  Expr v = value.isNumber() && wanted.isBool() ? typedConstant(wanted.element(), value, target) : toExpr(value, target);
  if (v->dtype != wanted) {
    if (v->dtype.lanes != wanted.lanes) {
      refuse(target, message("expected a value of dtype {}, found {}", wanted.str(), v->dtype.str()));
    }
    if (v->dtype.isHandle() != wanted.isHandle() || v->dtype.isVoid()) {
      refuse(target, message("expected a value of dtype {}, found {}", wanted.str(), v->dtype.str()));
    }
    v = ir::cast(wanted, v);
  }
  return ir::store(load->buffer, v, load->indices);
}

Value FunctionReader::bindAssigned(const std::string& name, Value value, const Node& at) {
  if (auto* buffer = value.get<ir::Buffer>()) {
    if (auto it = unnamedBuffers_.find(buffer->get()); it != unnamedBuffers_.end()) {
      it->second->name = name;
      if (it->second->data->name.empty()) it->second->data = ir::makeVar(name, DType::Handle());
      unnamedBuffers_.erase(it);
    }
    return value;
  }
  if (value.get<Sequence>() || value.get<Dictionary>()) return value;
  if (value.get<ir::BufferRegion>() || value.get<TypeName>() || value.isNone()) {
    refuse(at, message("{} cannot be assigned to a name", value.describe()));
  }
  Expr e = toExpr(value, at);
  if (auto* v = ir::asVar(e); isUnnamed(v)) {
    if (frames_.size() == 1) {
      if (Expr known = symbol(name, v->dtype)) {
        unnamedVars_.erase(v);
        return {known};
      }
    }
    auto var = ir::makeVar(name, v->dtype);
    auto* block = enclosingBlock();
    auto iter = block ? std::find_if(block->block.iters.begin(), block->block.iters.end(),
                                     [&](const ir::IterVar& i) { return i.var.get() == v; })
                      : std::vector<ir::IterVar>::iterator();
    if (block && iter != block->block.iters.end()) {
      // the printer gives two variables in scope two names, so this is the variable that regions further out dangle on
      auto* outer = find(name);
      auto* e = outer ? outer->get<Expr>() : nullptr;
      if (e && declared_.count(ir::asVar(*e)) && (*e)->dtype == v->dtype) var = ir::varOf(*e);
      iter->var = var;
    } else {
      declared_.insert(var.get());
    }
    for (auto& launch : launches_) {
      if (launch.var.get() == v) launch.var = var;
    }
    if (auto thread = envThreads_.extract(v)) {
      thread.key() = var.get();
      envThreads_.insert(std::move(thread));
    }
    if (auto memory = allocations_.extract(v)) {
      memory.mapped()->name = name;
      memory.mapped()->data = var;
      memory.key() = var.get();
      allocations_.insert(std::move(memory));
    }
    unnamedVars_.erase(v);
    return {Expr(var)};
  }
  auto var = ir::makeVar(name, e->dtype);
  lets_.push_back({var, e});
  return {Expr(var)};
}

ir::Function FunctionReader::finish(const Statement& definition, ir::FunctionNode f, Stmt body, ir::Id rootId,
                                    bool isPrivate) {
  auto* realize = ir::asRealize(body);
  if (realize && realize->block->iters.empty() && rootAllocs_.empty()) {
    f.body = std::static_pointer_cast<const ir::BlockRealizeNode>(body);
    if (readsDetected_ || writesDetected_) {
      // a root block has the regions that it is given, or none; it was the last block to be completed
      auto block = ir::edit(*f.body->block, [&](ir::BlockNode& b) {
        if (readsDetected_) b.reads.clear();
        if (writesDetected_) b.writes.clear();
      });
      f.body = ir::realize(f.body->values, f.body->predicate, block);
    }
  } else {
    ir::BlockNode root;
    root.id = rootId;
    bool hasBlock = !rootAllocs_.empty();
    ir::forEachStmt(body, [&](const Stmt& s) {
      hasBlock = hasBlock || ir::asRealize(s);
      return !hasBlock;
    });
    root.name = hasBlock ? "root" : "";  // where TVM adds none, nothing prints it or finds it
    root.allocs = rootAllocs_;
    root.body = body;
    f.body = ir::realize({}, ir::boolImm(true), std::make_shared<const ir::BlockNode>(std::move(root)));
  }
  if (isPrivate) {
    if (f.attrs.count("global_symbol"))
      refuse(definition.line, definition.column, message("a private function has no global_symbol"));
  } else {
    f.attrs.emplace("global_symbol", ir::AnnotationValue{ir::stringImm(f.name)});
  }
  function_ = nullptr;
  if (f.name.empty()) refuse(definition.line, definition.column, message("expected the function's name"));
  return std::make_shared<const ir::FunctionNode>(std::move(f));
}

}  // namespace loom::script
