#include "app/panels/loop_nest/view/loop_traffic.h"

#include <algorithm>

#include "core/ir/build.h"
#include "core/ir/packed.h"
#include "core/ir/visit.h"

namespace loom::session {

namespace {

class Counter : public ir::Visitor {
 public:
  explicit Counter(Done& done) : done_(done) {}

 protected:
  void visitFor(const ir::ForNode& n) override {
    const double outer = times_;
    times_ *= static_cast<double>(ir::constantOr(n.extent, 1));
    visit(n.body);
    times_ = outer;
  }
  void visitBinary(const ir::BinaryNode& n) override {
    using ir::ExprKind;
    const bool arithmetic = n.kind == ExprKind::Add || n.kind == ExprKind::Sub || n.kind == ExprKind::Mul ||
                            n.kind == ExprKind::Div || n.kind == ExprKind::Min || n.kind == ExprKind::Max;
    if (arithmetic && n.dtype.isFloat()) done_.flops += times_ * n.dtype.lanes;
    Visitor::visitBinary(n);
  }
  void visitLoad(const ir::LoadNode& n) override {
    done_.add(n.buffer.get(), false, times_ * n.dtype.lanes * ir::bytesEach(n.buffer->dtype));
    Visitor::visitLoad(n);
  }
  void visitStore(const ir::StoreNode& n) override {
    done_.add(n.buffer.get(), true, times_ * n.value->dtype.lanes * ir::bytesEach(n.buffer->dtype));
    Visitor::visitStore(n);
  }
  void visitEvaluate(const ir::EvaluateNode& n) override {
    done_.opaque = done_.opaque || n.value->kind == ir::ExprKind::Call;
  }

 private:
  Done& done_;
  double times_ = 1;
};

double elementsOf(const std::vector<ir::Range>& region) {
  double count = 1;
  for (const ir::Range& range : region) {
    const std::int64_t extent = ir::constantOr(range.extent, -1);
    if (extent < 0) return -1;
    count *= static_cast<double>(extent);
  }
  return count;
}

}  // namespace

Done doneBy(const ir::Stmt& statement) {
  Done done;
  Counter(done).visit(statement);
  return done;
}

Done doneBy(const ir::BlockNode& block) {
  Done done = doneBy(block.body);
  if (!done.opaque) return done;
  // The body hides what it touches; the block says it.
  done.bytes.clear();
  auto take = [&](const std::vector<ir::BufferRegion>& regions, bool write) {
    for (const ir::BufferRegion& r : regions) {
      const double elements = elementsOf(r.region);
      done.bytes.push_back({r.buffer.get(), write, elements < 0 ? -1 : elements * ir::bytesEach(r.buffer->dtype)});
    }
  };
  take(block.reads, false);
  take(block.writes, true);
  return done;
}

void fillMoved(NestRow& row, const Done& done) {
  for (const Done::Bytes& b : done.bytes) {
    MovedBytes moved{b.buffer->id, b.buffer->name, levelOf(*b.buffer), b.write, -1};
    if (b.bytes >= 0 && row.runs >= 0) moved.bytes = b.bytes * row.runs;
    row.moved.push_back(std::move(moved));
  }
  const MovedBytes* read = nullptr;
  const MovedBytes* written = nullptr;
  int reads = 0, writes = 0;
  double outside = 0;
  bool known = row.runs >= 0;
  for (const MovedBytes& m : row.moved) {
    (m.write ? written : read) = &m;
    (m.write ? writes : reads) += 1;
    known = known && m.bytes >= 0;
    if (m.level != MemoryLevel::kRegisters) outside += m.bytes;
  }
  const bool copies = reads == 1 && writes == 1 && done.flops == 0 && read->buffer != written->buffer;
  if (copies && (read->level != written->level || read->level != MemoryLevel::kRegisters)) {
    row.copy = true;
    row.source = read->level;
    row.target = written->level;
  }
  // Values that begin in registers come from nowhere.
  if (row.kind == NestRow::Kind::kInit && written != nullptr && written->level != MemoryLevel::kRegisters) {
    row.copy = true;
    row.source = MemoryLevel::kRegisters;
    row.target = written->level;
  }
  if (known && row.copy) {
    row.bytes = std::max(read != nullptr ? read->bytes : 0, written->bytes);
  } else if (known && outside > 0) {
    row.bytes = outside;
  }
}

}  // namespace loom::session
