#include "core/schedule/tree.h"

#include <algorithm>
#include <stdexcept>

namespace loom::schedule {

struct Tree::Builder {
  std::vector<Node>& nodes;
  int function = 0;

  int open(Id id, bool isBlock, const ir::Stmt& stmt, int parent, int seqIndex) {
    if (!id) throw std::logic_error("a loop or block without id");
    nodes.push_back({id, isBlock, stmt, parent, 0, seqIndex, function});
    return static_cast<int>(nodes.size()) - 1;
  }

  void visit(const ir::Stmt& s, int parent, int seqIndex) {
    if (!s) return;
    switch (s->kind) {
      case ir::StmtKind::For: {
        auto* loop = ir::as<ir::ForNode>(s);
        int self = open(loop->id, false, s, parent, seqIndex);
        visit(loop->body, self, kNone);
        nodes[self].end = static_cast<int>(nodes.size());
        break;
      }
      case ir::StmtKind::BlockRealize: {
        auto* realize = ir::as<ir::BlockRealizeNode>(s);
        int self = open(realize->block->id, true, s, parent, seqIndex);
        visit(realize->block->body, self, kNone);
        nodes[self].end = static_cast<int>(nodes.size());
        break;
      }
      case ir::StmtKind::Seq: {
        auto& stmts = ir::as<ir::SeqNode>(s)->stmts;
        for (std::size_t i = 0; i < stmts.size(); ++i) visit(stmts[i], parent, static_cast<int>(i));
        break;
      }
      case ir::StmtKind::IfThenElse:
        visit(ir::as<ir::IfThenElseNode>(s)->yes, parent, kNone);
        visit(ir::as<ir::IfThenElseNode>(s)->no, parent, kNone);
        break;
      case ir::StmtKind::Let: visit(ir::as<ir::LetStmtNode>(s)->body, parent, kNone); break;
      case ir::StmtKind::Attr: visit(ir::as<ir::AttrNode>(s)->body, parent, kNone); break;
      case ir::StmtKind::While: visit(ir::as<ir::WhileNode>(s)->body, parent, kNone); break;
      case ir::StmtKind::Store:
      case ir::StmtKind::Evaluate: break;
    }
  }
};

Tree::Tree(const ir::Module& module) {
  Builder builder{nodes_};
  for (const auto& function : module.functions) {
    builder.visit(function->body, kNone, kNone);
    ++builder.function;
  }
  index();
}

namespace {
std::size_t slotOf(Id id) {
  std::uint64_t h = (std::uint64_t{id.step} << 32 | id.ordinal) * 0x9E3779B97F4A7C15ull;
  return static_cast<std::size_t>(h >> 32);
}
}  // namespace

void Tree::index() {
  std::size_t size = 16;
  while (size < nodes_.size() * 2) size *= 2;
  slots_.assign(size, kNone);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    std::size_t slot = slotOf(nodes_[i].id) & (size - 1);
    while (slots_[slot] != kNone) {
      if (nodes_[slots_[slot]].id == nodes_[i].id) throw std::logic_error("two loops or blocks with one id");
      slot = (slot + 1) & (size - 1);
    }
    slots_[slot] = static_cast<int>(i);
  }
}

int Tree::find(Id id) const {
  if (slots_.empty()) return kNone;
  std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = slotOf(id) & mask; slots_[slot] != kNone; slot = (slot + 1) & mask) {
    if (nodes_[slots_[slot]].id == id) return slots_[slot];
  }
  return kNone;
}

const Tree::Node& Tree::at(Id id) const {
  int i = find(id);
  if (i == kNone) throw std::logic_error("no such loop or block");
  return nodes_[i];
}

bool Tree::isBlock(Id id) const {
  int i = find(id);
  return i != kNone && nodes_[i].isBlock;
}

bool Tree::isLoop(Id id) const {
  int i = find(id);
  return i != kNone && !nodes_[i].isBlock;
}

ir::For Tree::loop(Id id) const {
  const Node& node = at(id);
  if (node.isBlock) throw std::logic_error("a block where a loop is needed");
  return std::static_pointer_cast<const ir::ForNode>(node.stmt);
}

ir::BlockRealize Tree::realize(Id id) const {
  const Node& node = at(id);
  if (!node.isBlock) throw std::logic_error("a loop where a block is needed");
  return std::static_pointer_cast<const ir::BlockRealizeNode>(node.stmt);
}

Id Tree::parent(Id id) const {
  int parent = at(id).parent;
  return parent == kNone ? Id{} : nodes_[parent].id;
}

std::vector<Id> Tree::loopsAbove(Id block) const {
  std::vector<Id> loops;
  for (int p = at(block).parent; p != kNone && !nodes_[p].isBlock; p = nodes_[p].parent) loops.push_back(nodes_[p].id);
  std::reverse(loops.begin(), loops.end());
  return loops;
}

std::vector<Id> Tree::childBlocks(Id id) const {
  std::vector<Id> blocks;
  int self = find(id);
  if (self == kNone) throw std::logic_error("no such loop or block");
  for (int i = self + 1; i < nodes_[self].end;) {
    if (nodes_[i].isBlock) {
      blocks.push_back(nodes_[i].id);
      i = nodes_[i].end;
    } else {
      ++i;
    }
  }
  return blocks;
}

std::vector<Id> Tree::children(Id id) const {
  std::vector<Id> result;
  int self = find(id);
  if (self == kNone) throw std::logic_error("no such loop or block");
  for (int i = self + 1; i < nodes_[self].end; i = nodes_[i].end) result.push_back(nodes_[i].id);
  return result;
}

bool Tree::isAncestorOrSelf(Id above, Id below) const {
  int a = find(above), b = find(below);
  return a != kNone && b != kNone && a <= b && b < nodes_[a].end;
}

Id Tree::lowestCommonAncestor(const std::vector<Id>& ids) const {
  int low = Tree::kNone, high = Tree::kNone;
  for (Id id : ids) {
    const int i = find(id);
    if (i == kNone) throw std::logic_error("no such loop or block");
    if (low == kNone || i < low) low = i;
    if (i > high) high = i;
  }
  int p = low;
  while (p != kNone && high >= nodes_[p].end) p = nodes_[p].parent;
  if (p == kNone) throw std::logic_error("no common ancestor");
  return nodes_[p].id;
}

Id Tree::root(int function) const {
  for (int i = 0; i < static_cast<int>(nodes_.size()); i = nodes_[i].end) {
    if (nodes_[i].function == function) return nodes_[i].id;
  }
  throw std::logic_error("no such function");
}

}  // namespace loom::schedule
