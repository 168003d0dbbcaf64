#include "core/exec/statement_tree.h"

#include "core/ir/build.h"
#include "core/lower/passes.h"

namespace loom::exec {

using namespace ir;
using Kind = StatementNode::Kind;

namespace {

class Tree {
 public:
  Tree(const VirtualThreads& virtualThreads, ScalarCompiler& compiler)
      : virtualThreads_(virtualThreads), compiler_(compiler) {}
  std::optional<Error> error;

  StatementNode prepare(const Stmt& s) {
    StatementNode n;
    if (++sites_ > kMostSites) refuse(message("the function has more than {} statements", kMostSites));
    n.site = std::uint16_t(sites_);
    if (!s) return n;
    switch (s->kind) {
      case StmtKind::For: {
        const auto& loop = *asFor(s);
        n.kind = Kind::For;
        n.variable = compiler_.variable(loop.var.get());
        n.name = loop.var->name;
        n.extent = constantOr(loop.extent, -1);
        if (loop.forKind == ForKind::ThreadBinding) n.axis = axisOf(loop.thread);
        n.codes = {code(loop.min), code(loop.extent)};
        n.apart = apart({loop.min, loop.extent});
        const bool isVirtual = isOverVirtualThreads(loop);
        if (isVirtual) around_.push_back(&loop);
        if (around_.size() > kMostVirtual)
          refuse(message("more than {} loops over virtual threads stand in each other", kMostVirtual));
        n.children.push_back(prepare(loop.body));
        if (isVirtual) around_.pop_back();
        break;
      }
      case StmtKind::BlockRealize: prepareBlock(*asRealize(s), n); break;
      case StmtKind::Store: {
        const auto& store = *as<StoreNode>(s);
        n.kind = Kind::Store;
        n.target.buffer = compiler_.buffer(store.buffer);
        if (auto layout = ScalarCompiler::layoutOf(store.buffer)) {
          n.target.layout = std::move(*layout);
        } else {
          refuse(layout.error().message);
        }
        n.codes.push_back(code(store.value));
        for (const Expr& i : store.indices) n.codes.push_back(code(i));
        n.apart = apart(store.indices) | apart({store.value});
        break;
      }
      case StmtKind::IfThenElse: {
        const auto& branch = *as<IfThenElseNode>(s);
        n.kind = Kind::If;
        n.codes = {code(branch.condition)};
        n.apart = apart({branch.condition});
        n.children.push_back(prepare(branch.yes));
        n.children.push_back(prepare(branch.no));
        break;
      }
      case StmtKind::Seq:
        for (const Stmt& child : asSeq(s)->stmts) n.children.push_back(prepare(child));
        break;
      case StmtKind::Let: {
        const auto& let = *as<LetStmtNode>(s);
        n.kind = Kind::Let;
        n.variable = compiler_.variable(let.var.get());
        n.codes = {code(let.value)};
        n.apart = apart({let.value});
        n.children.push_back(prepare(let.body));
        break;
      }
      case StmtKind::Attr: return prepare(as<AttrNode>(s)->body);
      case StmtKind::Evaluate:
        if (auto* call = asCall(as<EvaluateNode>(s)->value)) {
          if (call->op != "tvm_storage_sync") refuse(message("the function calls something for its effect"));
          n.kind = Kind::Barrier;
        }
        break;
      case StmtKind::While: refuse(message("the function has a while loop"));
    }
    return n;
  }

 private:
  // What the numbers of statements, and the bits for loops over virtual threads, have room for.
  static constexpr int kMostSites = 65535;
  static constexpr std::size_t kMostVirtual = 32;

  void refuse(Message message) {
    if (!error) error = fail("NotExecutable", std::move(message), Forbids::Environment).value();
  }
  ScalarCode code(const Expr& e) {
    auto c = compiler_.compile(e);
    if (c) return std::move(*c);
    if (!error) error = c.error();
    return {};
  }
  std::uint32_t apart(const std::vector<Expr>& expressions) const {
    return virtualThreads_.dependsOn(around_, expressions);
  }
  static int axisOf(const std::string& thread) {
    if (lower::isVirtualThread(thread)) return StatementNode::kVirtualAxis;
    const bool block = thread.starts_with("blockIdx.");
    if (!block && !thread.starts_with("threadIdx.")) return -1;
    return thread.back() - 'x' + (block ? 3 : 0);
  }

  void prepareBlock(const BlockRealizeNode& realize, StatementNode& n) {
    const BlockNode& block = *realize.block;
    n.kind = Kind::Block;
    n.block = block.id;
    n.name = block.name;
    if (!block.matches.empty()) refuse(message("block {} has views of buffers", block.name));
    for (const IterVar& iter : block.iters) n.iterators.push_back(compiler_.variable(iter.var.get()));
    for (const Expr& value : realize.values) n.codes.push_back(code(value));
    n.codes.push_back(code(realize.predicate));
    n.apart = apart({realize.predicate});
    std::uint32_t initApart = 0;
    for (std::size_t i = 0; i < block.iters.size(); ++i) {
      const IterVar& iter = block.iters[i];
      if (iter.type != IterType::Reduce) continue;
      n.reductions.push_back(compiler_.variable(iter.var.get()));
      n.codes.push_back(code(iter.domain.min));
      initApart |= apart({realize.values[i], iter.domain.min});
    }
    n.hasInit = bool(block.init);
    if (n.hasInit) n.children.push_back(prepare(block.init));
    if (n.hasInit) n.children.back().apart |= initApart;
    n.children.push_back(prepare(block.body));
  }

  const VirtualThreads& virtualThreads_;
  ScalarCompiler& compiler_;
  std::vector<const ForNode*> around_;  // loops over virtual threads, outermost first
  int sites_ = 0;
};

}  // namespace

Result<StatementNode> statementTree(const Function& function, const VirtualThreads& virtualThreads,
                                    ScalarCompiler& compiler) {
  Tree tree(virtualThreads, compiler);
  StatementNode root = tree.prepare(Stmt(function->body));
  if (tree.error) return Failure(*tree.error);
  return root;
}

}  // namespace loom::exec
