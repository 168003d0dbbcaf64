// Loops, branches and blocks of a function.
#include <stdexcept>

#include "core/arith/block_access.h"
#include "core/ir/build.h"
#include "core/script/function_reader.h"
#include "core/script/launch_thread.h"

namespace loom::script {

using ir::DType;
using ir::Expr;
using ir::Range;
using ir::Stmt;

namespace {

std::optional<ir::ForKind> loopKind(const std::string& name) {
  if (name == "serial") return ir::ForKind::Serial;
  if (name == "parallel") return ir::ForKind::Parallel;
  if (name == "vectorized") return ir::ForKind::Vectorized;
  if (name == "unroll") return ir::ForKind::Unrolled;
  if (name == "thread_binding") return ir::ForKind::ThreadBinding;
  return std::nullopt;
}

constexpr std::string_view kLowered[] = {"allocate_const", "realize", "Assert", "If", "While"};

}  // namespace

std::vector<ir::ForNode> FunctionReader::loopsOf(const Node& header) {
  std::string name;
  if (header.is(NodeKind::Call)) {
    const Node& callee = *header.children[0];
    name = scriptName(callee);
    if (callee.is(NodeKind::Name) && callee.text == "range") name = "serial";
  }
  auto kind = loopKind(name);
  if (!kind && name != "grid") {
    refuse(header, message("expected range, T.grid, T.serial, T.parallel, T.vectorized, T.unroll or T.thread_binding"));
  }
  Arguments arguments(*this, header);
  auto integer = [&](const Expr& e, const Node& at) {
    if (!e->dtype.isIntegral() || !e->dtype.isScalar())
      refuse(at, message("expected an integer extent, found {}", e->dtype.str()));
    return e;
  };
  std::vector<ir::ForNode> loops;
  if (name == "grid") {
    if (arguments.count() == 0) refuse(header, message("expected at least one extent"));
    for (const auto& e : arguments.rest(0)) {
      ir::ForNode& loop = loops.emplace_back();
      loop.min = ir::intImm(0, integer(e, header)->dtype);
      loop.extent = e;
    }
    arguments.finish();
    return loops;
  }
  ir::ForNode& loop = loops.emplace_back();
  loop.forKind = *kind;
  const Value* stop = arguments.find(1, "stop");
  if (kind == ir::ForKind::ThreadBinding) {
    const Value* thread = arguments.find(2, "thread");
    if (!thread) std::swap(thread, stop);
    if (!thread) refuse(header, message("expected thread=\"…\""));
    loop.thread = stringOf(*thread, header);
  }
  Expr start = integer(arguments.expr(0, "start"), header);
  if (!stop) {
    loop.min = ir::intImm(0, start->dtype);
    loop.extent = simplified(start, header);
  } else {
    loop.min = start;
    Expr end = integer(toExpr(*stop, header), header);
    loop.extent = simplified(binaryOperation(ir::ExprKind::Sub, end, start, header), header);
  }
  if (auto* annotations = arguments.keyword("annotations")) loop.annotations = toAnnotations(*annotations, header);
  arguments.finish();
  return loops;
}

ir::ForNode FunctionReader::launchOf(const Node& call) {
  Arguments arguments(*this, call);
  ir::ForNode loop;
  loop.forKind = ir::ForKind::ThreadBinding;
  const Value& thread = arguments.need(0, "thread");
  ir::Var named;  // by T.env_thread
  if (auto* e = thread.get<Expr>(); e && ir::asVar(*e)) {
    const auto found = envThreads_.find(ir::asVar(*e));
    if (found == envThreads_.end()) refuse(call, message("expected a thread's tag, or what T.env_thread gave"));
    named = ir::varOf(*e);
    loop.thread = found->second;
  } else {
    loop.thread = stringOf(thread, call);
  }
  loop.extent = arguments.expr(1, "extent");
  arguments.finish();
  if (!loop.extent->dtype.isIntegral() || !loop.extent->dtype.isScalar()) {
    refuse(call, message("expected an integer extent, found {}", loop.extent->dtype.str()));
  }
  loop.min = ir::intImm(0, loop.extent->dtype);
  loop.annotations[kLaunchThread] = {ir::intImm(1)};
  loop.id = ids_.next();
  if (named) loop.extent = ir::cast(named->dtype, loop.extent);
  if (named) loop.min = ir::intImm(0, named->dtype);
  loop.var = named ? named : unnamedVar(loop.extent->dtype);
  return loop;
}

Stmt FunctionReader::forStatement(const Statement& s) {
  std::vector<ir::ForNode> loops = loopsOf(*s.value);
  std::vector<Value> vars;
  for (auto& loop : loops) {
    if (auto* e = ir::asInt(loop.extent); e && e->value > (std::int64_t{1} << 31) && loop.extent->dtype.bits <= 32) {
      refuse(*s.value, message("the extent {} exceeds int32", e->value));
    }
    loop.id = ids_.next();
    DType t = loop.min->dtype.bits >= loop.extent->dtype.bits ? loop.min->dtype : loop.extent->dtype;
    vars.push_back({Expr(ir::makeVar("v", t))});
  }
  Scope scope(*this, FrameKind::Loop);
  Nesting nesting(*this, s.line, s.column, loops.size());
  std::size_t next = 0;
  auto bind = [&](const std::string& name, const Value& v, const Node& at) -> Value {
    auto* e = v.get<Expr>();
    if (!e || next == loops.size()) refuse(at, message("expected one name per loop"));
    ir::ForNode& loop = loops[next++];
    loop.var = ir::makeVar(name, (*e)->dtype);
    loops_.emplace_back(loop.var, Range{loop.min, loop.extent});
    return {Expr(loop.var)};
  };
  assign(*s.targets[0], vars.size() == 1 ? vars[0] : sequence(vars, true), bind);
  if (next != loops.size()) refuse(*s.targets[0], message("expected one name per loop"));
  Stmt inner = body(s.body);
  loops_.resize(loops_.size() - loops.size());
  for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
    loop->body = inner;
    inner = std::make_shared<const ir::ForNode>(*loop);
  }
  return inner;
}

Stmt FunctionReader::ifStatement(const Statement& s) {
  Nesting nesting(*this, s.line, s.column);
  Value condition = operand(*s.value);
  auto branch = [&](const Statements& list) {
    Scope scope(*this, FrameKind::Branch);
    return body(list);
  };
  if (auto* known = condition.get<bool>()) {
    if (*known) return branch(s.body);
    return s.orelse.empty() ? nullptr : branch(s.orelse);
  }
  if (condition.isNumber()) refuse(*s.value, message("expected a condition, found {}", condition.describe()));
  Expr c = toExpr(condition, *s.value);
  if (!c->dtype.isBool()) refuse(*s.value, message("expected a condition, found dtype {}", c->dtype.str()));
  Stmt yes = branch(s.body);
  Stmt no = s.orelse.empty() ? nullptr : branch(s.orelse);
  return ir::ifThen(c, yes, no);
}

Stmt FunctionReader::whileStatement(const Statement& s) {
  Nesting nesting(*this, s.line, s.column);
  Expr c = toExpr(operand(*s.value), *s.value);
  if (!c->dtype.isBool()) refuse(*s.value, message("expected a condition, found dtype {}", c->dtype.str()));
  Scope scope(*this, FrameKind::Branch);
  auto loop = std::make_shared<ir::WhileNode>();
  loop->condition = c;
  loop->body = body(s.body);
  return loop;
}

Stmt FunctionReader::within(const Statement& s, std::size_t item) {
  if (item + 1 == s.items.size()) return body(s.body);
  std::vector<Stmt> stmts;
  withStatement(s, item + 1, stmts);
  return ir::seq(std::move(stmts));
}

void FunctionReader::withStatement(const Statement& s, std::size_t item, std::vector<Stmt>& into) {
  Nesting nesting(*this, s.line, s.column);
  const WithItem& w = s.items[item];
  const Node& call = *w.context;
  std::string name = call.is(NodeKind::Call) ? scriptName(*call.children[0]) : "";
  for (auto lowered : kLowered) {
    if (name == lowered) refuse(call, message("T.{} belongs to lowered programs, which are not read", name));
  }
  if (name == "launch_thread") {
    ir::ForNode loop = launchOf(call);
    Scope scope(*this, FrameKind::Loop);
    if (w.target) {
      if (!w.target->is(NodeKind::Name)) refuse(*w.target, message("expected a name"));
      loop.var = ir::makeVar(w.target->text, loop.extent->dtype);
      define(w.target->text, {Expr(loop.var)}, w.target->line, w.target->column);
    }
    loops_.emplace_back(loop.var, Range{loop.min, loop.extent});
    loop.body = within(s, item);
    loops_.pop_back();
    into.push_back(std::make_shared<const ir::ForNode>(std::move(loop)));
    return;
  }
  if (name == "allocate" || name == "decl_buffer" || name == "buffer_decl") {
    Scope scope(*this, FrameKind::Branch);
    Value memory = evaluate(call);
    if (w.target) {
      assign(*w.target, memory,
             [this](const std::string& n, Value v, const Node& at) { return bindAssigned(n, std::move(v), at); });
    }
    if (ir::Stmt inner = within(s, item)) into.push_back(std::move(inner));
    return;
  }
  if (name == "block" && w.target) {
    refuse(*w.target, message("a block that names its iterators after 'as' is TVM's of before 0.9; expected `with "
                              "T.block(\"name\"):` in its "
                              "loops, and then vi, vj = T.axis.remap(\"SS\", [i, j])"));
  }
  if (name != "LetStmt" && w.target) refuse(*w.target, message("expected ':' here"));
  if (name == "block" || name == "sblock") {
    into.push_back(blockStatement(s, item, call));
  } else if (name == "init") {
    initStatement(s, item, call);
  } else if (name == "attr") {
    scriptStatement(name, call, into);
    auto attributes = std::exchange(attributes_, {});
    Scope scope(*this, FrameKind::Branch);
    auto attr = std::make_shared<ir::AttrNode>();
    attr->node = attributes[0].first;
    attr->key = attributes[0].second.first;
    attr->value = attributes[0].second.second;
    attr->body = within(s, item);
    into.push_back(attr);
  } else if (name == "LetStmt" || name == "let") {
    Arguments arguments(*this, call);
    auto let = std::make_shared<ir::LetStmtNode>();
    Scope scope(*this, FrameKind::Branch);
    if (name == "let") {
      Expr v = arguments.expr(0, "v");
      if (!ir::asVar(v)) refuse(call, message("expected a variable"));
      let->var = ir::varOf(v);
      let->value = arguments.expr(1, "value");
    } else {
      let->value = arguments.expr(0, "value");
      if (auto* v = arguments.keyword("var")) {
        Expr e = toExpr(*v, call);
        if (!ir::asVar(e)) refuse(call, message("expected a variable"));
        let->var = ir::varOf(e);
      } else {
        if (!w.target || !w.target->is(NodeKind::Name)) refuse(call, message("expected 'as name'"));
        let->var = ir::makeVar(w.target->text, let->value->dtype);
        define(w.target->text, {Expr(let->var)}, w.target->line, w.target->column);
      }
    }
    arguments.finish();
    let->body = within(s, item);
    into.push_back(let);
  } else {
    refuse(call, message("expected T.block(…), T.init(), T.attr(…) or T.LetStmt(…)"));
  }
}

void FunctionReader::initStatement(const Statement& s, std::size_t item, const Node& call) {
  OpenBlock& block = currentBlock(call, "T.init");
  if (block.block.init) refuse(call, message("the block has a T.init already"));
  if (call.children.size() > 1 || !call.keywords.empty()) refuse(call, message("T.init takes no arguments"));
  Scope scope(*this, FrameKind::Init);
  block.block.init = within(s, item);
}

Stmt FunctionReader::blockStatement(const Statement& s, std::size_t item, const Node& call) {
  Arguments arguments(*this, call);
  OpenBlock open;
  open.block.name = arguments.string(0, "name", "");
  if (auto* v = arguments.find(1, "no_realize"); v && integerOf(*v, call))
    refuse(call, message("no_realize is not accepted"));
  arguments.finish();
  open.block.id = ids_.next();
  open.line = call.line;
  open.column = call.column;
  std::size_t outerVisible = visible_.size();
  {
    Scope scope(*this, FrameKind::Block, &open);
    open.block.body = within(s, item);
  }
  visible_.resize(outerVisible);
  detectRegions(open);
  Expr predicate = open.predicate ? open.predicate : ir::boolImm(true);
  return ir::realize(std::move(open.values), predicate, std::make_shared<const ir::BlockNode>(std::move(open.block)));
}

// As TVM's script completion: what isn't given is detected.
void FunctionReader::detectRegions(OpenBlock& open) {
  readsDetected_ = !open.hasReads;
  writesDetected_ = !open.hasWrites;
  if (open.hasReads && open.hasWrites) return;
  arith::KnownBuffers known;
  for (const auto& b : visible_) known[b->data.get()] = b;
  arith::BlockAccess access;
  try {
    access = arith::blockAccess(std::make_shared<const ir::BlockNode>(open.block), known);
  } catch (const std::domain_error&) {
    refuse(open.line, open.column, message("an index in the block divides by zero"));
  }
  if (!access.opaque.empty()) {
    refuse(open.line, open.column,
           message("the block uses {}.data, so its regions cannot be found; expected T.reads(…) and T.writes(…)",
                   access.opaque[0].buffer->name));
  }
  if (!open.hasReads) open.block.reads = std::move(access.reads);
  if (!open.hasWrites) open.block.writes = std::move(access.writes);
}

FunctionReader::OpenBlock& FunctionReader::currentBlock(const Node& at, const std::string& what) {
  if (frames_.empty() || frames_.back().kind != FrameKind::Block)
    refuse(at, message("expected {} directly in a block", what));
  return *frames_.back().block;
}

FunctionReader::OpenBlock* FunctionReader::enclosingBlock() {
  for (auto f = frames_.rbegin(); f != frames_.rend(); ++f) {
    if (f->kind == FrameKind::Block) return f->block;
  }
  return nullptr;
}

void FunctionReader::setRegions(const std::string& name, const Node& call) {
  OpenBlock& open = currentBlock(call, "T." + name);
  bool& given = name == "reads" ? open.hasReads : open.hasWrites;
  if (given) refuse(call, message("the block has a T.{} already", name));
  given = true;
  auto& regions = name == "reads" ? open.block.reads : open.block.writes;
  if (!call.keywords.empty()) refuse(call, message("T.{} takes regions only", name));
  for (std::size_t i = 1; i < call.children.size(); ++i) {
    const Node& c = *call.children[i];
    Value value = evaluate(c.is(NodeKind::Starred) ? *c.children[0] : c);
    if (auto* list = value.get<Sequence>()) {
      for (const auto& item : *list->items) regions.push_back(toRegion(item, c));
    } else {
      regions.push_back(toRegion(value, c));
    }
  }
}

void FunctionReader::addAttributes(ir::Annotations& into, const Node& call) {
  ir::Annotations added;
  if (call.children.size() == 2 && call.keywords.empty() && call.children[1]->is(NodeKind::Dict)) {
    const Node& dict = *call.children[1];
    for (std::size_t i = 0; i + 1 < dict.children.size(); i += 2) {
      // What the program was compiled for is the environment's here; metadata isn't printed with the text.
      const Node& value = *dict.children[i + 1];
      const Node* root = &value;
      while (root->is(NodeKind::Subscript)) root = root->children[0].get();
      const bool isMetadata =
          root != &value && root->is(NodeKind::Name) && root->text == "metadata" && !find("metadata");
      if (isMetadata || (value.is(NodeKind::Call) && scriptName(*value.children[0]) == "target")) continue;
      const std::string key = stringOf(evaluate(*dict.children[i]), call);
      if (!added.emplace(key, toAnnotation(evaluate(value), call)).second) {
        refuse(call, message("the attribute \"{}\" is given twice", key));
      }
    }
  } else {
    Arguments arguments(*this, call);
    added = toAnnotations(arguments.need(0, "attrs"), call);
    arguments.finish();
  }
  for (auto& [key, value] : added) {
    if (!into.emplace(key, value).second) refuse(call, message("the attribute \"{}\" is given twice", key));
  }
}

}  // namespace loom::script
