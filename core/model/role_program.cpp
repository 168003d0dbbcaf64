#include "core/model/role_program.h"

#include <algorithm>

#include "core/arith/int_math.h"
#include "core/device/lane_values.h"
#include "core/layout/box_row.h"
#include "core/model/cluster_network.h"
#include "core/model/estimate.h"

namespace loom::model {

using ir::ExprKind;

void RoleValues::set(const ir::VarNode* var, std::int64_t value) {
  for (auto& [known, number] : values_)
    if (known == var) {
      number = value;
      return;
    }
  values_.emplace_back(var, value);
}

void RoleValues::setBlock(const device::Kernel& kernel, std::int64_t block) {
  const auto at = device::blockAt(kernel, block);
  for (std::size_t axis = 0; axis < at.size(); ++axis) set(kernel.blockIdx[axis].get(), at[axis]);
}

std::optional<std::int64_t> RoleValues::value(const ir::VarNode* var) const {
  for (const auto& [known, value] : values_)
    if (known == var) return value;
  return std::nullopt;
}

std::optional<std::int64_t> RoleValues::evaluate(const ir::Expr& e) const {
  if (const auto* number = ir::asInt(e)) return number->value;
  if (const auto* var = ir::asVar(e)) return value(var);
  if (e->kind == ExprKind::Cast) return evaluate(ir::as<ir::CastNode>(e)->value);
  if (e->kind == ExprKind::Not) {
    const auto a = evaluate(ir::as<ir::NotNode>(e)->a);
    return a ? std::optional<std::int64_t>(!*a) : std::nullopt;
  }
  const auto* both = ir::asBinary(e);
  if (!both) return std::nullopt;
  const auto x = evaluate(both->a), y = evaluate(both->b);
  if (!x || !y) return std::nullopt;
  switch (both->kind) {
    case ExprKind::Add: return *x + *y;
    case ExprKind::Sub: return *x - *y;
    case ExprKind::Mul: return *x * *y;
    case ExprKind::Div: return *y ? std::optional(arith::truncDiv(*x, *y)) : std::nullopt;
    case ExprKind::Mod: return *y ? std::optional(arith::truncMod(*x, *y)) : std::nullopt;
    case ExprKind::FloorDiv: return *y ? std::optional(arith::floorDiv(*x, *y)) : std::nullopt;
    case ExprKind::FloorMod: return *y ? std::optional(arith::floorMod(*x, *y)) : std::nullopt;
    case ExprKind::Min: return std::min(*x, *y);
    case ExprKind::Max: return std::max(*x, *y);
    case ExprKind::EQ: return *x == *y;
    case ExprKind::NE: return *x != *y;
    case ExprKind::LT: return *x < *y;
    case ExprKind::LE: return *x <= *y;
    case ExprKind::GT: return *x > *y;
    case ExprKind::GE: return *x >= *y;
    case ExprKind::And: return *x && *y;
    case ExprKind::Or: return *x || *y;
    default: return std::nullopt;
  }
}

namespace {

using namespace device;

class RoleSteps {
  using Does = RoleStep::Does;

 public:
  RoleSteps(const KernelAccesses& accesses, const KernelCount& count, double flopPerClock)
      : accesses_(accesses), count_(count), flopPerClock_(flopPerClock) {
    for (std::size_t i = 0; i < accesses.accesses.size(); ++i)
      byStatement_[accesses.accesses[i].statement].push_back(int(i));
  }
  bool walk(const Stmt& s) {
    if (!s) return true;
    switch (s->kind) {
      case StmtKind::Seq:
        return std::ranges::all_of(as<SeqNode>(s)->stmts, [&](const Stmt& child) { return walk(child); });
      case StmtKind::Block: return walk(as<BlockNode>(s)->body);
      case StmtKind::If: return branch(*as<IfNode>(s));
      case StmtKind::Loop: return loop(*as<LoopNode>(s));
      case StmtKind::Store: return threads(s);
      case StmtKind::Operation: return operation(*as<OperationNode>(s), s);
      case StmtKind::Sync: return sync(*as<SyncNode>(s));
    }
    return false;
  }
  std::vector<RoleStep> steps_;

 private:
  RoleStep& add(Does does, const StmtNode* statement) {
    RoleStep& step = steps_.emplace_back();
    step.does = does;
    step.statement = statement;
    return step;
  }
  int here() const { return int(steps_.size()); }

  bool branch(const IfNode& n) {
    const int test = here();
    add(Does::Branch, &n).value = n.condition;
    if (!walk(n.yes)) return false;
    if (!n.no) {
      steps_[std::size_t(test)].target = here();
      return true;
    }
    const int over = here();
    add(Does::Jump, &n);
    steps_[std::size_t(test)].target = here();
    if (!walk(n.no)) return false;
    steps_[std::size_t(over)].target = here();
    return true;
  }
  bool loop(const LoopNode& n) {
    const int begin = here();
    RoleStep& first = add(Does::Begin, &n);
    first.value = n.extent;
    first.var = n.var.get();
    if (!walk(n.body)) return false;
    RoleStep& again = add(Does::Again, &n);
    again.value = n.extent;
    again.var = n.var.get();
    again.target = begin + 1;
    steps_[std::size_t(begin)].target = here();
    return true;
  }
  // Registers to registers are nothing beside what roles wait for; of memory only what goes to global memory is timed.
  bool threads(const Stmt& s) {
    for (int i : byStatement_[s.get()]) {
      const Access& a = accesses_.accesses[std::size_t(i)];
      if (a.memory != Memory::Global && !isShared(a.memory)) continue;
      if (a.memory == Memory::Global && !a.write) return false;
      writes(i, s.get());
    }
    return true;
  }
  void writes(int i, const StmtNode* statement) {
    const Access& a = accesses_.accesses[std::size_t(i)];
    const AccessCost& cost = count_.accesses[std::size_t(i)];
    // All four warps of a group; counts are by warps.
    const double each = cost.executions > 0 ? 4 / cost.executions : 0;
    if (a.memory != Memory::Global) {
      const double others = shareOfOthers(accesses_, a);
      RoleStep& step = add(others > 0 ? Does::Fetch : Does::Work, statement);
      step.clocks = each * cost.wavefronts;
      step.bytes = each * cost.bytes * others;
      step.others = others;
      return;
    }
    RoleStep& step = add(Does::Write, statement);
    step.clocks = each * cost.lines;
    L2Traffic stored;
    stored.stored = each * cost.sectors;
    // A group's stores that follow each other fill whole lines: each counts once.
    stored.storedLines = each * cost.bytes / layout::kLineBytes;
    step.bytes = stored.charged({}) * layout::kSectorBytes;
  }
  // The rows of a box as L2 is asked for them. Each of the blocks that a box is multicast to asks for its part alone.
  void asked(RoleStep& step, const OperationNode& n) const {
    const TensorMap& map = accesses_.kernel->maps[std::size_t(n.map)];
    const std::int64_t element = map.buffer->dtype.bytes();
    const auto& box = n.places.front().box;
    const layout::BoxRow row = layout::boxRow(box[1] * element, map.strides.front() * element);
    step.lines = double(box[0]) * row.lines;
    step.onSectors = row.onSectors;
  }
  // How many lanes of a warp ask the copy engine at once.
  double askersOf(const OperationNode& n) const {
    const AccessCost& cost = count_.accesses[std::size_t(byStatement_.at(&n).front())];
    return cost.executions > 0 ? cost.lanes / cost.executions : 1;
  }
  bool operation(const OperationNode& n, const Stmt& s) {
    if (n.row->agent == Agent::TensorCore) {
      RoleStep& step = add(Does::Multiply, &n);
      step.clocks = flopPerClock_ > 0 ? n.row->flops() / flopPerClock_ : 0;
      for (std::size_t i = 0; i < n.row->operands.size(); ++i) {
        const OperandRow& operand = n.row->operands[i];
        if (!operand.inMemory()) continue;
        step.bytes += double(n.row->tile.elements(operand.operand)) * n.places[i].buffer->dtype.bytes();
      }
      return true;
    }
    if (n.row->agent == Agent::CopyEngine) {
      const auto& place = n.places.front();
      const bool loads = n.barrier >= 0;
      RoleStep& step = add(loads ? Does::Load : Does::Store, &n);
      // Of what is multicast the other blocks bring as much.
      const auto blocks = double(blocksThatGet(n));
      step.bytes = double(place.elements()) * place.buffer->dtype.bytes() * blocks * askersOf(n);
      if (loads) asked(step, n);
      step.arriving = step.lines * blocks;
      step.barrier = n.barrier;
      step.value = n.slot;
      return true;
    }
    if (n.row->agent != Agent::Threads || n.row->multiplies()) return false;
    if (n.row->group == Group::Warpgroup && n.row->operands.size() == 1) {  // a fill: a register an instruction
      add(Does::Work, &n).clocks = double(n.row->tile.elements(Operand::Accumulator)) / 128;
      return true;
    }
    return threads(s);
  }
  bool sync(const SyncNode& n) {
    const bool products = n.token == Token::Products, stores = n.token == Token::BulkStores;
    if (n.token == Token::AsyncCopies) return false;
    switch (n.does) {
      case SyncDoes::Commit: add(products ? Does::CommitProducts : Does::CommitStores, &n); return true;
      case SyncDoes::Expect:
      case SyncDoes::Arrive: {
        RoleStep& step = add(n.does == SyncDoes::Expect ? Does::Expect : Does::Arrive, &n);
        step.barrier = n.barrier;
        step.value = n.slot;
        step.bytes = double(n.bytes);
        return true;
      }
      case SyncDoes::Wait: {
        if (n.token == Token::WarpBarrier) return true;
        const Does does = products                         ? Does::WaitProducts
                          : stores                         ? Does::WaitStores
                          : n.token == Token::Transfers    ? Does::WaitBarrier
                          : n.token == Token::BlockBarrier ? Does::MeetBlock
                                                           : Does::Work;
        RoleStep& step = add(does, &n);
        if (does == Does::Work) step.clocks = meetingClocks(*accesses_.kernel, n);
        step.allow = n.allow;
        step.barrier = n.barrier;
        step.value = n.slot;
        step.phase = n.phase;
        return true;
      }
      default: return true;  // fences, registers and the making of mbarriers
    }
  }

  const KernelAccesses& accesses_;
  const KernelCount& count_;
  double flopPerClock_;
  std::map<const StmtNode*, std::vector<int>> byStatement_;
};

}  // namespace

std::optional<std::vector<RoleStep>> roleSteps(const KernelAccesses& accesses, const KernelCount& count,
                                               double flopPerClock) {
  RoleSteps steps(accesses, count, flopPerClock);
  if (!steps.walk(accesses.kernel->body)) return std::nullopt;
  return std::move(steps.steps_);
}

}  // namespace loom::model
