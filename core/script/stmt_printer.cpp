#include "core/script/stmt_printer.h"

#include "core/ir/build.h"
#include "core/ir/equal.h"
#include "core/ir/visit.h"
#include "core/script/launch_thread.h"
#include "core/script/literal.h"

namespace loom::script {

using namespace ir;
using What = Span::What;

void StmtPrinter::body(const Stmt& stmt) {
  auto* seq = asSeq(stmt);
  if (!seq) {
    writer_.setConcise(true);
    statement(stmt);
    return;
  }
  for (const Stmt& s : seq->stmts) {
    writer_.setConcise(&s == &seq->stmts.back());
    statement(s);
  }
}

void StmtPrinter::statement(const Stmt& s) {
  switch (s->kind) {
    case StmtKind::For: return loop(*as<ForNode>(s));
    case StmtKind::BlockRealize: return block(*asRealize(s));
    case StmtKind::Store: return store(*as<StoreNode>(s));
    case StmtKind::Evaluate: return evaluate(*as<EvaluateNode>(s));
    case StmtKind::IfThenElse: return branch(*as<IfThenElseNode>(s));
    case StmtKind::Seq:
      for (const Stmt& each : asSeq(s)->stmts) statement(each);
      return;
    case StmtKind::Let: return let(*as<LetStmtNode>(s));
    case StmtKind::Attr: return attribute(*as<AttrNode>(s));
    case StmtKind::While: return whileLoop(*as<WhileNode>(s));
  }
}

// The loops that one T.grid shows: serial from zero, unannotated, with extents that don't depend on each other.
std::vector<const ForNode*> StmtPrinter::grid(const ForNode& first) const {
  std::vector<const ForNode*> loops;
  auto depends = [&](const VarNode* v) {
    for (const ForNode* l : loops) {
      if (l->var.get() == v) return true;
    }
    return false;
  };
  for (const ForNode* l = &first; l; l = asFor(l->body)) {
    if (l->forKind != ForKind::Serial || !isConst(l->min, 0) || !l->annotations.empty()) break;
    if (!asInt(l->extent) && usesVar(l->extent, depends)) break;
    loops.push_back(l);
  }
  return loops;
}

Text StmtPrinter::loopRange(const ForNode& n) {
  Text range;
  switch (n.forKind) {
    case ForKind::Serial: range << (n.annotations.empty() ? "range(" : "T.serial("); break;
    case ForKind::Parallel: range << "T.parallel("; break;
    case ForKind::Vectorized: range << "T.vectorized("; break;
    case ForKind::Unrolled: range << "T.unroll("; break;
    case ForKind::ThreadBinding: range << "T.thread_binding("; break;
  }
  if (isConst(n.min, 0)) {
    exprs_.print(range, n.extent);
  } else {
    exprs_.print(range, n.min);
    range << ", ";
    exprs_.print(range, n.min + n.extent);
  }
  if (n.forKind == ForKind::ThreadBinding) range << ", thread=" << stringLiteral(n.thread);
  if (!n.annotations.empty()) {
    range << ", annotations=";
    exprs_.annotations(range, n.annotations, n.id);
  }
  range << ")";
  return range;
}

// `tx = T.launch_thread("threadIdx.x", 32)` where the rest of the scope is its body, else by `with`.
void StmtPrinter::launch(const ForNode& n) {
  const bool concise = writer_.concise();
  Text call = "T.launch_thread(";
  call << stringLiteral(n.thread) << ", ";
  exprs_.print(call, n.extent);
  call << ")";
  writer_.open(&n, concise ? 0 : 1, {{What::LoopBody, n.id}});
  const std::string var = exprs_.defineVar(*n.var, writer_.innermost());
  Text line = concise ? "" : "with ";
  if (!concise) line << call << " as ";
  const std::size_t start = line.text.size();
  line << var;
  line.mark(start, What::Loop, n.id);
  if (concise) {
    line << " = " << call;
  } else {
    line << ":";
  }
  writer_.header(std::move(line));
  loops_.push_back(&n);
  body(n.body);
  loops_.pop_back();
  writer_.close();
}

void StmtPrinter::loop(const ForNode& first) {
  if (isLaunchThread(first)) return launch(first);
  std::vector<const ForNode*> loops = grid(first);
  bool isGrid = loops.size() > 1;
  if (!isGrid) loops = {&first};
  std::vector<std::pair<What, Id>> bodies;
  for (const ForNode* l : loops) bodies.emplace_back(What::LoopBody, l->id);
  writer_.open(&first, 1, std::move(bodies));
  Text line = "for ", extents = "T.grid(";
  for (const ForNode* l : loops) {
    if (l != loops.front()) line << ", ";
    std::size_t start = line.text.size();
    line << exprs_.defineVar(*l->var, writer_.innermost());
    line.mark(start, What::Loop, l->id);
    if (!isGrid) break;
    if (l != loops.front()) extents << ", ";
    exprs_.print(extents, l->extent);
  }
  extents << ")";
  line << " in " << (isGrid ? extents : loopRange(first)) << ":";
  writer_.header(std::move(line));
  loops_.insert(loops_.end(), loops.begin(), loops.end());
  body(loops.back()->body);
  loops_.resize(loops_.size() - loops.size());
  writer_.close();
}

// Whether T.axis.remap can bind the iteration variable: to a loop of just its range.
bool StmtPrinter::remaps(const IterVar& iter, const Expr& value) const {
  if (iter.type == IterType::Opaque || !asVar(value)) return false;
  for (const ForNode* l : loops_) {
    if (l->var != value) continue;
    return structuralEqual(l->min, iter.domain.min) && structuralEqual(l->extent, iter.domain.extent);
  }
  return false;
}

void StmtPrinter::iteration(const BlockRealizeNode& realize, std::size_t i) {
  const IterVar& iter = realize.block->iters[i];
  Text right = iter.type == IterType::Spatial  ? "T.axis.spatial("
               : iter.type == IterType::Reduce ? "T.axis.reduce("
                                               : "T.axis.opaque(";
  if (isConst(iter.domain.min, 0)) {
    exprs_.print(right, iter.domain.extent);
  } else {
    right << "(";
    exprs_.print(right, iter.domain.min);
    right << ", ";
    exprs_.print(right, iter.domain.min + iter.domain.extent);
    right << ")";
  }
  right << ", ";
  exprs_.print(right, realize.values[i]);
  Text line;
  line << exprs_.defineVar(*iter.var, writer_.innermost()) << " = " << right << ")";
  writer_.emit(std::move(line));
}

void StmtPrinter::iterations(const BlockRealizeNode& realize) {
  const auto& iters = realize.block->iters;
  for (std::size_t i = 0; i < iters.size();) {
    std::size_t end = i;
    while (end < iters.size() && remaps(iters[end], realize.values[end])) ++end;
    if (end - i < 2) {
      iteration(realize, i++);
      continue;
    }
    Text left, types, values;
    for (; i < end; ++i) {
      if (!left.text.empty()) {
        left << ", ";
        values << ", ";
      }
      left << exprs_.defineVar(*iters[i].var, writer_.innermost());
      exprs_.print(values, realize.values[i]);
      types << (iters[i].type == IterType::Spatial ? "S" : "R");
    }
    left << " = T.axis.remap(\"" << types << "\", [" << values << "])";
    writer_.emit(std::move(left));
  }
}

void StmtPrinter::regions(std::string_view method, const std::vector<BufferRegion>& regions) {
  Text line;
  line << method << "(";
  for (const BufferRegion& r : regions) {
    if (&r != &regions.front()) line << ", ";
    std::size_t start = line.text.size();
    exprs_.region(line, r);
    line.mark(start, What::Region, r.buffer->id);
  }
  line << ")";
  writer_.emit(std::move(line));
}

void StmtPrinter::allocations(const BlockNode& n) {
  for (const Buffer& b : n.allocs) {
    exprs_.declareBuffer(*b, spelled("alloc_buffer", "sblock_alloc_buffer"), {}, writer_.innermost());
  }
}

void StmtPrinter::block(const BlockRealizeNode& realize) {
  const BlockNode& n = *realize.block;
  writer_.open(&n, 1, {{What::BlockBody, n.id}});
  Text line = "with ";
  std::size_t start = line.text.size();
  line << spelled("T.block(", "T.sblock(") << stringLiteral(n.name) << ")";
  line.mark(start, What::Block, n.id);
  line << ":";
  writer_.header(std::move(line));
  iterations(realize);
  if (!isTrue(realize.predicate)) writer_.emit(Text("T.where(") << exprs_.text(realize.predicate) << ")");
  regions("T.reads", n.reads);
  regions("T.writes", n.writes);
  if (!n.annotations.empty()) {
    Text attributes;
    attributes << spelled("T.block_attr(", "T.sblock_attr(");
    exprs_.annotations(attributes, n.annotations, n.id);
    writer_.emit(attributes << ")");
  }
  allocations(n);
  for (const MatchBuffer& m : n.matches) {
    exprs_.defineBuffer(*m.buffer, writer_.innermost());
    Text source;
    exprs_.region(source, m.source);
    source.mark(0, What::Region, m.source.buffer->id);
    exprs_.declareBuffer(*m.buffer, "match_buffer", source, writer_.innermost());
  }
  if (n.init) {
    writer_.open(n.init.get(), 1);
    writer_.header("with T.init():");
    body(n.init);
    writer_.close();
  }
  body(n.body);
  writer_.close();
}

void StmtPrinter::store(const StoreNode& n) {
  exprs_.name(*n.buffer);
  Text value = exprs_.text(n.value), line;
  line << exprs_.name(*n.buffer);
  exprs_.index(line, n.indices);
  line.mark(0, What::Store, n.buffer->id);
  writer_.emit(line << " = " << value);
}

void StmtPrinter::evaluate(const EvaluateNode& n) {
  auto* c = asCall(n.value);
  if (c && c->op == "ret" && c->args.size() == 1) {
    writer_.emit(Text("return ") << exprs_.text(c->args[0]));
  } else if (c) {
    writer_.emit(exprs_.text(n.value));
  } else {
    writer_.emit(Text("T.evaluate(") << exprs_.text(n.value) << ")");
  }
}

void StmtPrinter::branch(const IfThenElseNode& n) {
  Text line = "if ";
  line << exprs_.text(n.condition) << ":";
  writer_.open(n.yes.get(), 1);
  writer_.header(std::move(line));
  body(n.yes);
  writer_.close();
  if (!n.no) return;
  writer_.open(n.no.get(), 1);
  writer_.header("else:");
  body(n.no);
  writer_.close();
}

void StmtPrinter::let(const LetStmtNode& n) {
  bool concise = writer_.concise();
  Text value = exprs_.text(n.value);
  bool defined = writer_.find(n.var.get());
  writer_.open(&n, concise && !defined ? 0 : 1);
  std::string var = exprs_.defineVar(*n.var, writer_.innermost());
  if (defined) {
    writer_.header(Text("with T.LetStmt(") << value << ", var=" << var << "):");
  } else if (concise) {
    writer_.header(Text(var) << ": T." << n.var->dtype.str() << " = " << value);
  } else {
    writer_.header(Text("with T.LetStmt(") << value << ") as " << var << ":");
  }
  body(n.body);
  writer_.close();
}

void StmtPrinter::attribute(const AttrNode& n) {
  bool concise = writer_.concise();
  Text line = "T.attr(";
  exprs_.print(line, n.node);
  line << ", " << stringLiteral(n.key) << ", ";
  exprs_.print(line, n.value);
  line << ")";
  writer_.open(&n, concise ? 0 : 1);
  writer_.header(concise ? line : Text("with ") << line << ":");
  body(n.body);
  writer_.close();
}

void StmtPrinter::whileLoop(const WhileNode& n) {
  Text line = "while ";
  line << exprs_.text(n.condition) << ":";
  writer_.open(&n, 1);
  writer_.header(std::move(line));
  body(n.body);
  writer_.close();
}

}  // namespace loom::script
