#include "core/script/saved_stmt.h"

#include "core/ir/build.h"

namespace loom::script {

using ir::Stmt;

namespace {

constexpr std::size_t kMostStatements = 100'000;

}  // namespace

ir::Function SavedStmts::function(Index node, const std::string& name) {
  if (graph_.type(node) != "tir.PrimFunc") graph_.unexpected(node, message("a function of TIR"));
  ir::FunctionNode f;
  f.name = name;
  std::map<const ir::VarNode*, ir::Buffer> buffers;
  for (const auto& [key, value] : graph_.entries(graph_.need(node, "buffer_map"))) {
    buffers[exprs_.var(key).get()] = exprs_.buffer(value);
  }
  for (const Index parameter : graph_.list(node, "params")) {
    ir::Var var = exprs_.var(parameter);
    auto found = buffers.find(var.get());
    f.params.push_back({std::move(var), found == buffers.end() ? nullptr : found->second});
  }
  if (const Index attrs = graph_.reference(node, "attrs")) {
    f.attrs = exprs_.annotations(graph_.reference(attrs, "__dict__"));
  }
  const ir::Id rootId = ids_.next();
  Stmt body = stmt(graph_.need(node, "body"));
  auto* root = ir::asRealize(body);
  if (root && root->block->iters.empty()) {
    f.body = std::static_pointer_cast<const ir::BlockRealizeNode>(body);
  } else {
    ir::BlockNode block;
    block.id = rootId;
    block.name = "root";
    block.body = std::move(body);
    f.body = ir::realize({}, ir::boolImm(true), std::make_shared<const ir::BlockNode>(std::move(block)));
  }
  return std::make_shared<const ir::FunctionNode>(std::move(f));
}

Stmt SavedStmts::stmt(Index node) {
  if (depth_ >= kDeepestSaved) throw NotAsSaved{message("its statements are nested too deeply, or in a circle")};
  if (++statements_ > kMostStatements) throw NotAsSaved{message("it unfolds to too many statements")};
  ++depth_;
  Stmt s = made(node, graph_.type(node));
  --depth_;
  return s;
}

Stmt SavedStmts::made(Index node, std::string_view type) {
  if (type == "tir.For") return loop(node);
  if (type == "tir.BlockRealize" || type == "tir.SBlockRealize") return realize(node);
  if (type == "tir.BufferStore") return store(node);
  if (type == "tir.Evaluate") return ir::evaluate(exprs_.expr(graph_.need(node, "value")));
  if (type == "tir.AttrStmt") return attribute(node);
  if (type == "tir.SeqStmt") {
    std::vector<Stmt> all;
    for (const Index each : graph_.list(node, "seq")) all.push_back(stmt(each));
    return ir::seq(std::move(all));
  }
  if (type == "tir.IfThenElse") {
    ir::Expr when = condition(node, "condition");
    Stmt yes = stmt(graph_.need(node, "then_case"));
    const Index otherwise = graph_.reference(node, "else_case");
    return ir::ifThen(std::move(when), std::move(yes), otherwise ? stmt(otherwise) : nullptr);
  }
  if (type == "tir.LetStmt") {
    auto let = std::make_shared<ir::LetStmtNode>();
    let->var = exprs_.var(graph_.need(node, "var"));
    let->value = exprs_.expr(graph_.need(node, "value"));
    if (let->value->dtype != let->var->dtype) graph_.unexpected(node, message("a value of the variable's dtype"));
    let->body = stmt(graph_.need(node, "body"));
    return let;
  }
  if (type == "tir.While") {
    auto loop = std::make_shared<ir::WhileNode>();
    loop->condition = condition(node, "condition");
    loop->body = stmt(graph_.need(node, "body"));
    return loop;
  }
  graph_.unexpected(node, message("a statement of TensorIR"));
}

ir::Expr SavedStmts::condition(Index node, const char* field) {
  ir::Expr e = exprs_.expr(graph_.need(node, field));
  if (!e->dtype.isBool() || !e->dtype.isScalar()) graph_.unexpected(graph_.need(node, field), message("a condition"));
  return e;
}

Stmt SavedStmts::loop(Index node) {
  constexpr ir::ForKind kKinds[] = {ir::ForKind::Serial, ir::ForKind::Parallel, ir::ForKind::Vectorized,
                                    ir::ForKind::Unrolled, ir::ForKind::ThreadBinding};
  auto loop = std::make_shared<ir::ForNode>();
  loop->id = ids_.next();
  loop->var = exprs_.var(graph_.need(node, "loop_var"));
  if (!loop->var->dtype.isIntegral() || !loop->var->dtype.isScalar())
    graph_.unexpected(node, message("a loop over whole numbers"));
  loop->min = exprs_.integer(graph_.need(node, "min"));
  loop->extent = exprs_.integer(graph_.need(node, "extent"));
  const std::int64_t kind = graph_.integer(node, "kind");
  if (kind < 0 || kind >= std::int64_t(std::size(kKinds))) graph_.unexpected(node, message("a loop of a known kind"));
  loop->forKind = kKinds[kind];
  if (loop->forKind == ir::ForKind::ThreadBinding) {
    loop->thread = graph_.text(graph_.need(node, "thread_binding"), "thread_tag");
  }
  if (graph_.has(node, "step")) {
    if (const Index step = graph_.reference(node, "step"); step && !ir::isConst(exprs_.expr(step), 1)) {
      graph_.unexpected(node, message("a loop in steps of 1"));
    }
  }
  loop->annotations = exprs_.annotations(graph_.reference(node, "annotations"));
  loop->body = stmt(graph_.need(node, "body"));
  return loop;
}

ir::BlockRealize SavedStmts::realize(Index node) {
  std::vector<ir::Expr> values = exprs_.exprs(graph_.list(node, "iter_values"));
  ir::Expr predicate = condition(node, "predicate");
  ir::Block of = block(graph_.need(node, "block"));
  if (values.size() != of->iters.size()) graph_.unexpected(node, message("a value for each of the block's variables"));
  return ir::realize(std::move(values), std::move(predicate), std::move(of));
}

std::vector<ir::BufferRegion> SavedStmts::regions(Index node, const char* field) {
  std::vector<ir::BufferRegion> all;
  for (const Index each : graph_.list(node, field)) all.push_back(exprs_.region(each));
  return all;
}

ir::Block SavedStmts::block(Index node) {
  const std::string_view type = graph_.type(node);
  if (type != "tir.Block" && type != "tir.SBlock") graph_.unexpected(node, message("a block"));
  auto b = std::make_shared<ir::BlockNode>();
  b->id = ids_.next();
  b->name = graph_.text(node, "name_hint");
  for (const Index each : graph_.list(node, "iter_vars")) b->iters.push_back(iter(each));
  for (const Index each : graph_.list(node, "alloc_buffers")) b->allocs.push_back(exprs_.buffer(each));
  for (const Index each : graph_.list(node, "match_buffers")) {
    if (graph_.type(each) != "tir.MatchBufferRegion")
      graph_.unexpected(each, message("a buffer matched with a region"));
    b->matches.push_back({exprs_.buffer(graph_.need(each, "buffer")), exprs_.region(graph_.need(each, "source"))});
  }
  b->reads = regions(node, "reads");
  b->writes = regions(node, "writes");
  b->annotations = exprs_.annotations(graph_.reference(node, "annotations"));
  if (const Index init = graph_.reference(node, "init")) b->init = stmt(init);
  b->body = stmt(graph_.need(node, "body"));
  return b;
}

ir::IterVar SavedStmts::iter(Index node) {
  if (graph_.type(node) != "tir.IterVar") graph_.unexpected(node, message("a block's variable"));
  constexpr std::int64_t kSpatial = 0, kReduce = 2, kOpaque = 4;  // TVM's IterVarType
  ir::IterVar iter{exprs_.var(graph_.need(node, "var")), exprs_.range(graph_.need(node, "dom")), ir::IterType::Spatial};
  switch (graph_.integer(node, "iter_type")) {
    case kSpatial: break;
    case kReduce: iter.type = ir::IterType::Reduce; break;
    case kOpaque: iter.type = ir::IterType::Opaque; break;
    default: graph_.unexpected(node, message("a variable that is spatial, of a reduction, or opaque"));
  }
  return iter;
}

Stmt SavedStmts::store(Index node) {
  if (graph_.has(node, "predicate") && graph_.reference(node, "predicate")) {
    graph_.unexpected(node, message("a store without a predicate of its own"));
  }
  ir::Buffer to = exprs_.buffer(graph_.need(node, "buffer"));
  ir::Expr value = exprs_.expr(graph_.need(node, "value"));
  std::vector<ir::Expr> indices = exprs_.exprs(graph_.list(node, "indices"));
  if (indices.size() != to->shape.size()) graph_.unexpected(node, message("an index for each dimension"));
  return ir::store(std::move(to), std::move(value), std::move(indices));
}

Stmt SavedStmts::attribute(Index node) {
  auto attr = std::make_shared<ir::AttrNode>();
  const Index about = graph_.need(node, "node");
  // What a string is said of is a string of the program; other objects have no words in TVMScript here.
  attr->node = graph_.type(about) == "String" ? ir::stringImm(graph_.string(about)) : exprs_.expr(about);
  attr->key = graph_.text(node, "attr_key");
  attr->value = exprs_.expr(graph_.need(node, "value"));
  attr->body = stmt(graph_.need(node, "body"));
  return attr;
}

}  // namespace loom::script
