#include "core/schedule/draft.h"

#include <stdexcept>

#include "core/schedule/analysis.h"
#include "core/schedule/block_info.h"
#include "core/schedule/state_trail.h"

namespace loom::schedule {

namespace {

// A statement with its one child loop or block `old` exchanged. Other loops and blocks are not looked into.
ir::Stmt exchange(const ir::Stmt& s, const ir::Stmt& old, const ir::Stmt& now, int seqIndex) {
  if (s == old) return now;
  if (!s) return s;
  switch (s->kind) {
    case ir::StmtKind::Seq: {
      auto* seq = ir::as<ir::SeqNode>(s);
      std::size_t first = 0, last = seq->stmts.size();
      if (seqIndex >= 0 && static_cast<std::size_t>(seqIndex) < last && seq->stmts[seqIndex] == old) {
        first = seqIndex;
        last = first + 1;
      }
      for (std::size_t i = first; i < last; ++i) {
        ir::Stmt changed = exchange(seq->stmts[i], old, now, Tree::kNone);
        if (changed == seq->stmts[i]) continue;
        std::vector<ir::Stmt> stmts = seq->stmts;
        stmts[i] = std::move(changed);
        return ir::asSeq(stmts[i]) ? ir::seq(std::move(stmts))
                                   : ir::edit(*seq, [&](ir::SeqNode& n) { n.stmts = std::move(stmts); });
      }
      return s;
    }
    case ir::StmtKind::IfThenElse: {
      auto* branch = ir::as<ir::IfThenElseNode>(s);
      ir::Stmt yes = exchange(branch->yes, old, now, Tree::kNone), no = exchange(branch->no, old, now, Tree::kNone);
      if (yes == branch->yes && no == branch->no) return s;
      return ir::edit(*branch, [&](ir::IfThenElseNode& n) { n.yes = yes, n.no = no; });
    }
    case ir::StmtKind::Let: {
      auto* let = ir::as<ir::LetStmtNode>(s);
      ir::Stmt body = exchange(let->body, old, now, Tree::kNone);
      return body == let->body ? s : ir::edit(*let, [&](ir::LetStmtNode& n) { n.body = body; });
    }
    case ir::StmtKind::Attr: {
      auto* attr = ir::as<ir::AttrNode>(s);
      ir::Stmt body = exchange(attr->body, old, now, Tree::kNone);
      return body == attr->body ? s : ir::edit(*attr, [&](ir::AttrNode& n) { n.body = body; });
    }
    case ir::StmtKind::While: {
      auto* loop = ir::as<ir::WhileNode>(s);
      ir::Stmt body = exchange(loop->body, old, now, Tree::kNone);
      return body == loop->body ? s : ir::edit(*loop, [&](ir::WhileNode& n) { n.body = body; });
    }
    default: return s;
  }
}

ir::Stmt withChild(const ir::Stmt& parent, const ir::Stmt& old, const ir::Stmt& now, int seqIndex) {
  if (auto* loop = ir::asFor(parent)) {
    ir::Stmt body = exchange(loop->body, old, now, seqIndex);
    if (body == loop->body) throw std::logic_error("a child that its parent does not have");
    return ir::edit(*loop, [&](ir::ForNode& n) { n.body = body; });
  }
  auto* realize = ir::asRealize(parent);
  ir::Stmt body = exchange(realize->block->body, old, now, seqIndex);
  if (body == realize->block->body) throw std::logic_error("a child that its parent does not have");
  ir::Block block = ir::edit(*realize->block, [&](ir::BlockNode& n) { n.body = body; });
  return ir::edit(*realize, [&](ir::BlockRealizeNode& n) { n.block = block; });
}

}  // namespace

Draft::Draft(const State& base, std::uint32_t step, std::string_view primitive, const Environment& environment)
    : Draft(base, step, ir::IdSource(step), primitive, environment) {}

Draft::Draft(const State& base, std::uint32_t step, ir::IdSource ids, std::string_view primitive,
             const Environment& environment)
    : base_(base),
      program_(base.program()),
      ids_(ids),
      step_(step),
      primitive_(primitive),
      environment_(environment),
      workingFunction_(base.workingFunction_),
      chance_(base.chance_) {}

void Draft::replace(Id target, const ir::Block& replacement) {
  auto realize = tree().realize(target);
  if (realize->block == replacement) return;
  replace(target, ir::edit(*realize, [&](ir::BlockRealizeNode& n) { n.block = replacement; }));
}

void Draft::replace(Id target, const ir::Stmt& replacement) {
  const auto before = program_.positions;
  int at = before->find(target);
  if (at == Tree::kNone) throw std::logic_error("no such loop or block to replace");
  const auto& nodes = before->nodes();
  if (nodes[at].stmt == replacement) return;

  changed_ = true;
  ir::Stmt now = replacement;
  int i = at;
  for (; nodes[i].parent != Tree::kNone; i = nodes[i].parent) {
    now = withChild(nodes[nodes[i].parent].stmt, nodes[i].stmt, now, nodes[i].seqIndex);
  }
  if (!ir::asRealize(now)) throw std::logic_error("a function's body is the realize of a block");
  auto& function = program_.module.functions[nodes[at].function];
  function = [&] {
    auto copy = std::make_shared<ir::FunctionNode>(*function);
    copy->body = std::static_pointer_cast<const ir::BlockRealizeNode>(now);
    return copy;
  }();

  program_.positions = std::make_shared<const Tree>(program_.module);
  const Tree& after = *program_.positions;
  for (int old = at; old < nodes[at].end; ++old) {
    if (nodes[old].isBlock && !after.contains(nodes[old].id)) program_.infos.erase(nodes[old].id);
  }
  // Every block of the replacement that is not the very node it was: its children may be others now.
  int first = Tree::kNone;
  {
    auto* loop = ir::asFor(replacement);
    auto* realize = ir::asRealize(replacement);
    if (loop) first = after.find(loop->id);
    if (realize) first = after.find(realize->block->id);
  }
  if (first == Tree::kNone) throw std::logic_error("a replacement is a For or a BlockRealize");
  for (int n = first; n < after.nodes()[first].end; ++n) {
    const auto& node = after.nodes()[n];
    if (!node.isBlock) continue;
    int old = before->find(node.id);
    auto& block = ir::as<ir::BlockRealizeNode>(node.stmt)->block;
    if (old != Tree::kNone && ir::as<ir::BlockRealizeNode>(nodes[old].stmt)->block == block) {
      n = node.end - 1;
      continue;
    }
    auto [it, isNew] = program_.infos.try_emplace(node.id);
    it->second.scope = findDependencies(after, after.childBlocks(node.id));
  }
}

BlockInfo& Draft::edit(Id block) {
  auto it = program_.infos.find(block);
  if (it == program_.infos.end()) throw std::logic_error("no flags of this block");
  changed_ = true;
  return it->second;
}

void Draft::refreshScope(Id block) {
  changed_ = true;
  computeBlockInfo(program_, block);
}

void Draft::refreshInside(Id block) {
  changed_ = true;
  computeBlockInfoInside(program_, block);
}

void Draft::recomputeAffineBinding(Id block) {
  arith::Analyzer analyzer;
  Id parent = tree().parent(block);
  edit(block).affineBinding =
      isAffineBinding(*tree().realize(block), parent ? loopDomain(program_, parent) : LoopDomain{}, analyzer);
}

void Draft::origin(Id made, std::vector<Id> parents) {
  origins_.push_back({made, step_, primitive_, std::move(parents)});
}

void Draft::replaceFunction(int index, ir::Function function) {
  if (function->body != program_.module.functions.at(index)->body) throw std::logic_error("the body must stay");
  changed_ = true;
  program_.module.functions[index] = std::move(function);
}

State Draft::finish(std::vector<State::Binding> names) && {
  State next;
  next.trail_ = base_.trail_;
  if (!names.empty() || !origins_.empty()) {
    auto link = std::make_shared<StateTrail>();
    link->previous = base_.trail_;
    link->names = std::move(names);
    link->origins = std::move(origins_);
    next.trail_ = std::move(link);
  }
  next.workingFunction_ = workingFunction_;
  next.chance_ = chance_;
  // A step that only looks around shares the program.
  next.program_ = changed_ ? std::make_shared<const Program>(std::move(program_)) : base_.program_;
  return next;
}

}  // namespace loom::schedule
