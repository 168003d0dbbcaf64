#include "core/lower/bulk_stores.h"

#include <algorithm>

#include "core/arith/analyzer.h"
#include "core/device/build.h"
#include "core/device/effects.h"
#include "core/ir/build.h"
#include "core/lower/transfers.h"

namespace loom::lower {
namespace {

using namespace device;

const OperationNode* asStore(const Stmt& s) {
  return s->kind == StmtKind::Operation && as<OperationNode>(s)->row->completes == Token::BulkStores
             ? as<OperationNode>(s)
             : nullptr;
}

// The buffer that a store takes its box from.
const Buffer& sourceOf(const OperationNode& store) { return store.places[std::size_t(store.row->find("from"))].buffer; }

bool storesFrom(const Stmt& s, const ir::BufferNode* buffer) {
  bool found = false;
  forEach(s, [&](const Stmt& inner) {
    const OperationNode* store = asStore(inner);
    return !(found |= store && (!buffer || sourceOf(*store).get() == buffer));
  });
  return found;
}

bool writes(const Stmt& s, const ir::BufferNode* buffer) { return std::ranges::count(usesOf(s).written, buffer) > 0; }

Stmt waiting(const OperationNode& store, int allow, std::vector<Landed> landed) {
  auto s = makeSync(Token::BulkStores, SyncDoes::Wait, allow);
  s->uncovered = store.uncovered;
  s->origin = store.origin;
  s->landed = std::move(landed);
  return s;
}

class Staging {
 public:
  Staging(Kernel& kernel, const RingSizes& sizes, const OperationNode& store)
      : kernel_(kernel), store_(store), buffer_(sourceOf(store)) {
    if (const auto asked = sizes.slotsOf(buffer_)) slots_ = asked->count;
  }

  // Returns whether the buffer has several slots now.
  bool run() {
    kernel_.body = walk(kernel_.body);
    if (!several_) return false;
    for (Allocation& a : kernel_.allocations)
      if (a.buffer == buffer_) multiply(a, slots_);
    return true;
  }

 private:
  Stmt walk(const Stmt& s) {
    if (!s || !storesFrom(s, buffer_.get())) return s;
    if (s->kind == StmtKind::Loop) {
      around_.push_back(as<LoopNode>(s));
      Stmt result = mapChildren(s, [&](const Stmt& child) { return walk(child); });
      around_.pop_back();
      return result;
    }
    if (s->kind != StmtKind::Seq) return mapChildren(s, [&](const Stmt& child) { return walk(child); });
    // Here the buffer is written by one statement and stored by a later one.
    const std::vector<Stmt>& stmts = as<SeqNode>(s)->stmts;
    const auto writer = std::ranges::find_if(stmts, [&](const Stmt& c) { return writes(c, buffer_.get()); });
    if (writer == stmts.end() || storesFrom(*writer, buffer_.get()))
      return mapChildren(s, [&](const Stmt& child) { return walk(child); });
    std::vector<Landed> landed{{buffer_, {}, store_.origin}};
    Stmt all = s;
    if (slots_ > 1 && !around_.empty()) {
      several_ = true;
      landed.front().versions = {turn()};
      all = withVersion(s, {buffer_.get()}, turn());
    }
    if (around_.empty()) return all;
    std::vector<Stmt> out = as<SeqNode>(all)->stmts;
    out.insert(out.begin() + (writer - stmts.begin()), waiting(store_, several_ ? slots_ - 1 : 0, std::move(landed)));
    return seq(std::move(out));
  }
  // The slot of an iteration, of all that the loops around have.
  Expr turn() const {
    arith::Analyzer analyzer;
    for (const LoopNode* l : around_) analyzer.bind(l->var, ir::Range{ir::intImm(0, l->var->dtype), l->extent}, true);
    return analyzer.simplify(ir::floormod(runningNumber(around_, DType::Int(32)), ir::intImm(slots_)));
  }

  Kernel& kernel_;
  const OperationNode store_;
  const Buffer buffer_;
  int slots_ = 1;
  bool several_ = false;
  std::vector<const LoopNode*> around_;
};

// A block's shared memory is given away when it ends: the last stores have been read before.
Stmt readAtEnd(const Stmt& s, const OperationNode& store) {
  if (s->kind == StmtKind::Loop || s->kind == StmtKind::Block || asStore(s)) return seq({s, waiting(store, 0, {})});
  if (s->kind == StmtKind::If)
    return mapChildren(s,
                       [&](const Stmt& child) { return storesFrom(child, nullptr) ? readAtEnd(child, store) : child; });
  std::vector<Stmt> stmts = as<SeqNode>(s)->stmts;
  for (std::size_t n = stmts.size(); n-- > 0;) {
    if (!storesFrom(stmts[n], nullptr)) continue;
    // Its commit is part of it.
    const bool alone = asStore(stmts[n]) != nullptr;
    if (alone) {
      stmts.push_back(waiting(store, 0, {}));
    } else {
      stmts[n] = readAtEnd(stmts[n], store);
    }
    break;
  }
  return seq(std::move(stmts));
}

}  // namespace

bool isOfCopyEngine(const Stmt& s) {
  bool found = hasTransfers(s);
  forEach(s, [&](const Stmt& inner) {
    return !(found |=
             asStore(inner) || (inner->kind == StmtKind::Sync && as<SyncNode>(inner)->token == Token::BulkStores));
  });
  return found;
}

Buffers awaitStores(Kernel& kernel, const RingSizes& sizes) {
  std::vector<std::shared_ptr<const OperationNode>> stores;  // one for each buffer
  forEach(kernel.body, [&](const Stmt& s) {
    const OperationNode* store = asStore(s);
    if (store && std::ranges::none_of(stores, [&](const auto& o) { return sourceOf(*o) == sourceOf(*store); }))
      stores.push_back(std::static_pointer_cast<const OperationNode>(s));
    return true;
  });
  Buffers versioned;
  for (const auto& store : stores)
    if (Staging(kernel, sizes, *store).run()) versioned.insert(sourceOf(*store).get());
  if (!stores.empty()) kernel.body = readAtEnd(kernel.body, *stores.front());
  return versioned;
}

}  // namespace loom::lower
