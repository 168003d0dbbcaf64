#include "core/exec/whole_run.h"

#include <fmt/format.h>

#include "core/ir/build.h"

namespace loom::exec {

using namespace ir;

namespace {

class WholeRun {
 public:
  WholeRun(const Function& function, const std::map<int, InputValues>& contents, std::int64_t limit)
      : function_(function), contents_(contents), left_(limit) {}

  Result<std::map<int, WholeResult>> run() {
    Node root = prepare(Stmt(function_->body));
    if (!error_) {
      for (const Buffer& b : compiler_.buffers()) {
        auto layout = ScalarCompiler::layoutOf(b);
        if (!layout) return Failure(layout.error());
        const std::int64_t elements = layout->footprint();
        WholeResult memory{std::vector<Value>(std::size_t(elements)), std::vector<std::uint8_t>(std::size_t(elements))};
        for (std::size_t p = 0; p < function_->params.size(); ++p) {
          auto found = contents_.find(int(p));
          if (function_->params[p].buffer != b || found == contents_.end()) continue;
          for (std::int64_t e = 0; e < elements; ++e) memory.values[std::size_t(e)] = found->second.at(e);
        }
        memory_.push_back(std::move(memory));
      }
      variables_.resize(compiler_.variables());
      run(root);
    }
    if (left_ < 0 && !error_) refuse("the function is too large to be run as a whole");
    if (error_) return Failure(*error_);
    std::map<int, WholeResult> result;
    for (std::size_t p = 0; p < function_->params.size(); ++p) {
      for (std::size_t b = 0; b < compiler_.buffers().size(); ++b) {
        if (function_->params[p].buffer == compiler_.buffers()[b]) result[int(p)] = std::move(memory_[b]);
      }
    }
    return result;
  }

 private:
  // A statement with its expressions compiled.
  struct Node {
    StmtKind kind = StmtKind::Seq;
    int variable = 0;               // For, Let
    std::vector<ScalarCode> codes;  // For: min, extent. If: condition. Let: value. Store: value, then indices
    ScalarAccess target;            // Store
    std::vector<int> iterators;     // BlockRealize; codes: values, predicate, minima of the reductions
    std::vector<int> reductions;    // their variables
    std::vector<Node> children;     // BlockRealize: init (if hasInit), body
    bool hasInit = false;
  };

  void refuse(std::string message) {
    if (!error_) error_ = fail("NotExecutable", std::move(message), Forbids::Environment).value();
  }
  ScalarCode code(const Expr& e) {
    auto c = compiler_.compile(e);
    if (c) return std::move(*c);
    if (!error_) error_ = c.error();
    return {};
  }

  Node prepare(const Stmt& s) {
    Node n;
    if (!s) return n;
    n.kind = s->kind;
    switch (s->kind) {
      case StmtKind::For: {
        const auto& loop = *asFor(s);
        n.variable = compiler_.variable(loop.var.get());
        n.codes = {code(loop.min), code(loop.extent)};
        n.children.push_back(prepare(loop.body));
        break;
      }
      case StmtKind::BlockRealize: prepareBlock(*asRealize(s), n); break;
      case StmtKind::Store: {
        const auto& store = *as<StoreNode>(s);
        n.target.buffer = compiler_.buffer(store.buffer);
        if (auto layout = ScalarCompiler::layoutOf(store.buffer)) {
          n.target.layout = std::move(*layout);
        } else {
          refuse(layout.error().message);
        }
        n.codes.push_back(code(store.value));
        for (const Expr& i : store.indices) n.codes.push_back(code(i));
        break;
      }
      case StmtKind::IfThenElse: {
        const auto& branch = *as<IfThenElseNode>(s);
        n.codes = {code(branch.condition)};
        n.children.push_back(prepare(branch.yes));
        n.children.push_back(prepare(branch.no));
        break;
      }
      case StmtKind::Seq:
        for (const Stmt& child : asSeq(s)->stmts) n.children.push_back(prepare(child));
        break;
      case StmtKind::Let: {
        const auto& let = *as<LetStmtNode>(s);
        n.variable = compiler_.variable(let.var.get());
        n.codes = {code(let.value)};
        n.children.push_back(prepare(let.body));
        break;
      }
      case StmtKind::Attr: return prepare(as<AttrNode>(s)->body);
      case StmtKind::Evaluate:
        if (asCall(as<EvaluateNode>(s)->value)) refuse("the function calls something for its effect");
        n.kind = StmtKind::Seq;
        break;
      case StmtKind::While: refuse("the function has a while loop");
    }
    return n;
  }
  void prepareBlock(const BlockRealizeNode& realize, Node& n) {
    const BlockNode& block = *realize.block;
    if (!block.matches.empty()) refuse(fmt::format("block {} has views of buffers", block.name));
    for (const IterVar& iter : block.iters) n.iterators.push_back(compiler_.variable(iter.var.get()));
    for (const Expr& value : realize.values) n.codes.push_back(code(value));
    n.codes.push_back(code(realize.predicate));
    for (const IterVar& iter : block.iters) {
      if (iter.type != IterType::Reduce) continue;
      n.reductions.push_back(compiler_.variable(iter.var.get()));
      n.codes.push_back(code(iter.domain.min));
    }
    n.hasInit = bool(block.init);
    if (n.hasInit) n.children.push_back(prepare(block.init));
    n.children.push_back(prepare(block.body));
  }

  Value value(const ScalarCode& c) {
    return evaluate(c, compiler_.accesses(), variables_.data(), Value{0}, [&](int buffer, std::int64_t offset) {
      return offset < 0 ? Value{0} : memory_[std::size_t(buffer)].values[std::size_t(offset)];
    });
  }

  void run(const Node& n) {
    if (--left_ < 0) return;
    switch (n.kind) {
      case StmtKind::For: {
        std::int64_t min = value(n.codes[0]).i, extent = value(n.codes[1]).i;
        for (std::int64_t i = 0; i < extent && left_ >= 0; ++i) {
          variables_[std::size_t(n.variable)].i = min + i;
          run(n.children[0]);
        }
        break;
      }
      case StmtKind::BlockRealize: runBlock(n); break;
      case StmtKind::Store: {
        indices_.resize(n.codes.size() - 1);
        for (std::size_t d = 0; d < indices_.size(); ++d) indices_[d] = value(n.codes[d + 1]);
        std::int64_t offset = offsetOf(n.target, indices_.data());
        Value v = value(n.codes[0]);
        if (offset < 0) break;
        WholeResult& memory = memory_[std::size_t(n.target.buffer)];
        memory.values[std::size_t(offset)] = v;
        memory.written[std::size_t(offset)] = 1;
        break;
      }
      case StmtKind::IfThenElse: run(n.children[value(n.codes[0]).i ? 0 : 1]); break;
      case StmtKind::Let:
        variables_[std::size_t(n.variable)] = value(n.codes[0]);
        run(n.children[0]);
        break;
      default:
        for (const Node& child : n.children) run(child);
    }
  }
  void runBlock(const Node& n) {
    std::size_t count = n.iterators.size();
    std::vector<Value> values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(value(n.codes[i]));
    for (std::size_t i = 0; i < count; ++i) variables_[std::size_t(n.iterators[i])] = values[i];
    if (!value(n.codes[count]).i) return;
    bool first = true;
    for (std::size_t r = 0; r < n.reductions.size(); ++r) {
      first = first && variables_[std::size_t(n.reductions[r])].i == value(n.codes[count + 1 + r]).i;
    }
    if (n.hasInit && first) run(n.children[0]);
    run(n.children.back());
  }

  Function function_;
  const std::map<int, InputValues>& contents_;
  std::int64_t left_;
  ScalarCompiler compiler_;
  std::vector<WholeResult> memory_;  // by the compiler's buffer number
  std::vector<Value> variables_;
  std::vector<Value> indices_;  // of the store that runs
  std::optional<Error> error_;
};

}  // namespace

Result<std::map<int, WholeResult>> runWhole(const Function& function, const std::map<int, InputValues>& contents,
                                            std::int64_t limit) {
  return WholeRun(function, contents, limit).run();
}

}  // namespace loom::exec
