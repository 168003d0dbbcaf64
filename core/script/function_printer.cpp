// Functions: parameters as annotations where TVM has them so, the root block as a comment where nothing of it would be
// lost.
#include <algorithm>

#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/script/literal.h"
#include "core/script/stmt_printer.h"

namespace loom::script {

using namespace ir;
using What = Span::What;

namespace {

bool hasVariables(const Expr& e) {
  return usesVar(e, [](const VarNode*) { return true; });
}

// A whole, compact buffer of constant shape in global memory: all that `A: T.Buffer(shape, dtype)` can say.
bool isSimple(const BufferNode& b) {
  return std::none_of(b.shape.begin(), b.shape.end(), hasVariables) && b.strides.empty() && isConst(b.elemOffset, 0) &&
         b.scope == "global" && b.dataAlignment == 64 && b.offsetFactor == 1 && b.axisSeparators.empty();
}

bool containsBlock(const Stmt& s) {
  bool found = false;
  forEachStmt(s, [&](const Stmt& each) {
    found = found || asRealize(each);
    return !found;
  });
  return found;
}

// Whether the root block says nothing but its buffers.
bool isImplicit(const BlockRealizeNode& root) {
  const BlockNode& b = *root.block;
  if (!root.values.empty() || !isTrue(root.predicate)) return false;
  if (!b.annotations.empty() || !b.matches.empty() || !b.reads.empty() || !b.writes.empty() || b.init) return false;
  if (!b.allocs.empty()) return true;
  if (auto* inner = asRealize(b.body)) return !inner->block->iters.empty();
  return containsBlock(b.body);
}

}  // namespace

void StmtPrinter::functionHeader(const FunctionNode& f, std::vector<const BufferNode*>& matched) {
  bool isPrivate = !f.attrs.contains("global_symbol");
  bool stir = exprs_.dialect() == Dialect::STir;
  std::string decorator = "@T.prim_func";
  if (isPrivate || stir) {
    decorator += std::string("(") + (isPrivate ? "private=True" : "") + (isPrivate && stir ? ", " : "") +
                 (stir ? "s_tir=True" : "") + ")";
  }
  std::size_t scope = writer_.innermost();
  auto sharesData = [&](const ir::Parameter& p) {
    return std::count_if(f.params.begin(), f.params.end(),
                         [&](const ir::Parameter& q) { return q.buffer && q.buffer->data == p.buffer->data; }) > 1;
  };
  auto usedInBody = [&](const Var& v) { return usesVar(Stmt(f.body), [&](const VarNode* x) { return x == v.get(); }); };
  std::vector<const VarNode*> later;
  for (const ir::Parameter& p : f.params) {
    if (!p.buffer) later.push_back(p.var.get());
  }
  Text line;
  line << "def " << f.name << "(";
  for (const ir::Parameter& p : f.params) {
    if (&p != &f.params.front()) line << ", ";
    std::size_t start = line.text.size();
    if (!p.buffer || (!stir && !isSimple(*p.buffer)) || sharesData(p) || usedInBody(p.var)) {
      line << exprs_.defineVar(*p.var, scope) << ": T." << p.var->dtype.str();
      if (p.buffer) matched.push_back(p.buffer.get());
      continue;
    }
    line << exprs_.defineBuffer(*p.buffer, scope);
    line.mark(start, What::Buffer, p.buffer->id);
    line << ": ";
    exprs_.annotateBuffer(line, *p.buffer, scope, later);
  }
  line << "):";
  writer_.header(decorator, false);
  writer_.header(std::move(line));
}

void StmtPrinter::function(const FunctionNode& f) {
  exprs_.setFunction(&f);
  writer_.open(&f, 1, {{What::Function, Id{}}});
  std::vector<const BufferNode*> matched;
  functionHeader(f, matched);
  Annotations attrs = f.attrs;
  if (auto it = attrs.find("global_symbol"); it != attrs.end()) {
    auto* e = std::get_if<Expr>(&it->second.value);
    if (e && (*e)->kind == ExprKind::StringImm && as<StringImmNode>(*e)->value == f.name) attrs.erase(it);
  }
  if (!attrs.empty()) {
    Text line = "T.func_attr(";
    exprs_.annotations(line, attrs);
    writer_.emit(line << ")");
  }
  for (const ir::Parameter& p : f.params) {
    if (!p.buffer || std::find(matched.begin(), matched.end(), p.buffer.get()) == matched.end()) continue;
    exprs_.defineBuffer(*p.buffer, writer_.innermost());
    exprs_.declareBuffer(*p.buffer, "match_buffer", *writer_.find(p.var.get()), writer_.innermost());
  }
  if (f.body->block->name.empty() && f.body->block->iters.empty()) {
    body(f.body->block->body);  // a program without a block: the root isn't there in TVM
  } else if (isImplicit(*f.body)) {
    const BlockNode& root = *f.body->block;
    Text comment = "# with ";
    comment << spelled("T.block(\"root\")", "T.sblock(\"root\")");
    comment.mark(7, What::Block, root.id);
    writer_.emit(comment << ":");
    allocations(root);
    body(root.body);
  } else {
    body(Stmt(f.body));
  }
  writer_.close();
  exprs_.setFunction(nullptr);
}

}  // namespace loom::script
