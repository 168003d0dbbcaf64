#include <limits>

#include "core/device/effects.h"
#include "core/device/packed_tile.h"
#include "core/exec/kernel_compiler.h"
#include "core/exec/vector_clock.h"

namespace loom::exec {

using device::StmtKind;

std::uint8_t Writers::bitOf(const ir::VarNode* data, ir::Id block) {
  for (auto& [buffer, blocks] : blocks_) {
    if (buffer != data) continue;
    auto found = std::find(blocks.begin(), blocks.end(), block);
    if (found == blocks.end()) found = blocks.insert(blocks.end(), block);
    auto n = found - blocks.begin();
    return n < 6 ? std::uint8_t(4 << n) : 0;
  }
  blocks_.push_back({data, {block}});
  return 4;
}

std::uint8_t Writers::before(const ir::VarNode* data, ir::Id except) const {
  std::uint8_t bits = 0;
  for (const auto& [buffer, blocks] : blocks_) {
    if (buffer != data) continue;
    for (std::size_t n = 0; n < blocks.size() && n < 6; ++n) {
      if (blocks[n] != except) bits |= std::uint8_t(4 << n);
    }
  }
  return bits;
}

void KernelCompiler::declareAreas() {
  auto add = [&](const ir::Buffer& b, device::Memory memory, std::int64_t elements,
                 std::optional<device::FragmentShape> fragment) {
    areas_[b.get()] = std::uint16_t(code_.areas.size());
    code_.areas.push_back({b, memory, elements, false, fragment, 1, {}});
  };
  for (const ir::Buffer& b : kernel_.params) add(b, device::Memory::Global, ir::constantOr(b->shape[0], 0), {});
  for (const device::Allocation& a : kernel_.allocations) add(a.buffer, a.memory, a.elements, a.fragment);
  for (const device::Allocation& a : kernel_.allocations)
    for (const device::Allocation& b : kernel_.allocations)
      if (a.mayLieIn(b) && a.meets(b))
        code_.areas[areas_.at(a.buffer.get())].under.push_back({areas_.at(b.buffer.get()), a.offset - b.offset});
  for (const ir::BufferNode* b : device::usesOf(kernel_.body).written)
    if (auto found = areas_.find(b); found != areas_.end()) code_.areas[found->second].written = true;
}

std::uint16_t KernelCompiler::areaOf(const ir::Buffer& b) {
  auto found = areas_.find(b.get());
  if (found != areas_.end()) return found->second;
  fail(message("the buffer {} isn't part of kernel {}", b->name, kernel_.name));
  return kNone;
}

std::int64_t KernelCompiler::site(std::uint16_t area, bool write) {
  Site s;
  s.block = block_;
  s.blockName = blockName_;
  s.area = area;
  s.loops = loops_;
  if (area != kNone) {
    const ir::VarNode* data = code_.areas[area].buffer->data.get();
    if (write) {
      s.writerBit = writers_.bitOf(data, block_);
    } else {
      s.required = writers_.before(data, block_);
    }
  }
  code_.sites.push_back(std::move(s));
  return std::int64_t(code_.sites.size()) - 1;
}

Result<Code> KernelCompiler::run() {
  code_.name = kernel_.name;
  code_.grid = kernel_.grid;
  code_.block = kernel_.block;
  code_.cluster = kernel_.cluster;
  code_.mbarriers = kernel_.mbarriers;
  code_.maps = kernel_.maps;
  declareAreas();
  // threadIdx.y is one value for a warp where rows are whole warps, and so on.
  std::int64_t row = 1;
  for (int axis = 0; axis < 3; ++axis) {
    code_.threadUniform[axis] = kernel_.block[axis] == 1 || (axis > 0 && row % kLanes == 0);
    code_.blockIdx[axis] = emit_.newUniform();
    code_.threadIdx[axis] = code_.threadUniform[axis] ? emit_.newUniform() : emit_.newVector();
    variables_[kernel_.blockIdx[axis].get()] = {code_.blockIdx[axis], true, false, 0};
    variables_[kernel_.threadIdx[axis].get()] = {code_.threadIdx[axis], code_.threadUniform[axis], false, 0};
    row *= kernel_.block[axis];
  }
  stmt(kernel_.body);
  if (error_) return Failure(*error_);
  if (!emit_.fits()) {
    return loom::fail("NotExecutable", message("kernel {} needs too many registers of the executor", code_.name),
                      Forbids::Environment);
  }
  // Memory notes the sites of accesses by numbers of 16 bits.
  if (code_.sites.size() > std::numeric_limits<std::uint16_t>::max())
    return loom::fail(
        "NotExecutable",
        message("kernel {} has more than {} accesses", code_.name, std::numeric_limits<std::uint16_t>::max()),
        Forbids::Environment);
  emit_.finish(code_);
  return std::move(code_);
}

void KernelCompiler::stmt(const device::Stmt& s) {
  if (!s || error_) return;
  switch (s->kind) {
    case StmtKind::Seq:
      for (const auto& child : device::as<device::SeqNode>(s)->stmts) stmt(child);
      break;
    case StmtKind::Loop: loop(*device::as<device::LoopNode>(s)); break;
    case StmtKind::If: branch(*device::as<device::IfNode>(s)); break;
    case StmtKind::Store: store(*device::as<device::StoreNode>(s)); break;
    case StmtKind::Operation: operation(*device::as<device::OperationNode>(s)); break;
    case StmtKind::Sync: sync(*device::as<device::SyncNode>(s)); break;
    case StmtKind::Block: {
      const auto& n = *device::as<device::BlockNode>(s);
      ir::Id outer = block_;
      std::string outerName = std::exchange(blockName_, n.name);
      block_ = n.block;
      stmt(n.body);
      block_ = outer;
      blockName_ = std::move(outerName);
      break;
    }
  }
  emit_.endStatement();
}

void KernelCompiler::sync(const device::SyncNode& n) {
  const device::TokenRow& row = device::rowOf(n.token);
  if (n.does == device::SyncDoes::Wait && row.byArrival && row.group != device::Group::Warp) {
    const bool ofCluster = row.group == device::Group::Cluster;
    emit_.push({Op::Barrier, false, kNone, kNone,
                std::uint16_t(!ofCluster   ? 0
                              : row.forAll ? 2
                                           : 1),
                kNone, site(kNone, false)});
    return;
  }
  SyncCode code{n.does,
                n.token,
                n.allow,
                n.barrier,
                vectorOf(n.slot),
                vectorOf(n.phase),
                n.bytes,
                site(kNone, false),
                vectorOf(n.target)};
  code_.syncs.push_back(code);
  emit_.push({Op::Sync, false, kNone, kNone, kNone, kNone, std::int64_t(code_.syncs.size()) - 1});
}

void KernelCompiler::loop(const device::LoopNode& n) {
  checkOperands(n.extent, site(kNone, false));
  Operand extent = value(n.extent);
  CodeLoop info{n.origin.empty() ? ir::Id{} : n.origin[0], n.var->name, ir::constantOr(n.extent, -1),
                emit_.newUniform(), n.pipelined};
  auto index = std::uint16_t(code_.loops.size());
  code_.loops.push_back(info);
  if (extent.pinned) {
    // The body's statements reuse temporaries.
    std::uint16_t kept = emit_.newVector();
    emit_.push({Op::Copy, false, kept, extent.reg});
    extent.reg = kept;
  }
  emit_.beginLoop(extent, info.var, index);
  emit_.endStatement();
  variables_[n.var.get()] = {info.var, true, false, std::uint16_t(emit_.depth())};
  loops_.push_back(index);
  stmt(n.body);
  loops_.pop_back();
  emit_.endLoop();
}

std::size_t KernelCompiler::beginIf(Operand condition) {
  return emit_.push({Op::IfBegin, false, kNone, condition.reg, std::uint16_t(condition.uniform ? 0 : 1), kNone, 0});
}

void KernelCompiler::branch(const device::IfNode& n) {
  checkOperands(n.condition, site(kNone, false));
  std::size_t jump = beginIf(value(n.condition));
  emit_.endStatement();
  stmt(n.yes);
  emit_.at(jump).imm = std::int64_t(emit_.size() - jump);
  if (n.no) {
    std::size_t other = emit_.push({Op::Else});
    stmt(n.no);
    emit_.at(other).imm = std::int64_t(emit_.size() - other);
  }
  emit_.push({Op::EndIf});
}

void KernelCompiler::store(const device::StoreNode& n) {
  std::uint16_t area = areaOf(n.to.buffer);
  if (area == kNone) return;
  const ir::Expr& index = n.to.index();
  const int lanes = n.to.lanes;
  std::int64_t at = site(area, true);
  checkOperands(n.value, at, lanes);
  checkOperands(index, at, lanes);
  // All lanes are read before the first is written, as one instruction would.
  std::vector<std::uint16_t> values;
  for (int lane = 0; lane < lanes; ++lane) values.push_back(emit_.broadcast(value(n.value, lane)).reg);
  if (lanes > 1) checkAligned(index, area, at, lanes);
  for (int lane = 0; lane < lanes; ++lane) {
    Address to = address(index, lane);
    emit_.push({Op::Store, false, values[lane], to.vector, to.uniform, area, at});
  }
}

namespace {

// By lane, and element of what it holds: the number of the element in the tile, row by row.
std::vector<std::uint16_t> tileElements(const device::OperandRow& operand, ir::DType element) {
  const layout::Layout held = operand.held(operand.operand, element);
  const std::int64_t columns = held.outputs()[1].extent;
  std::vector<std::uint16_t> all;
  for (std::int64_t i = 0; i < held.size(); ++i) {
    const layout::Point at = held.apply(layout::pointAt(held.inputs(), i)).value();
    all.push_back(std::uint16_t(at[0] * columns + at[1]));
  }
  return all;
}

}  // namespace

void KernelCompiler::operation(const device::OperationNode& n) {
  // Tiles are a warp's or a warpgroup's, spans and boxes each thread's own.
  const bool ofThread = n.row->group == device::Group::Thread, ofGroup = n.row->group == device::Group::Warpgroup;
  if ((!ofThread && !ofGroup && n.row->group != device::Group::Warp) ||
      !std::ranges::all_of(n.row->operands, [&](const auto& operand) {
        if (ofThread) return (operand.isSpan() || operand.boxed) && operand.inMemory();
        if (ofGroup) return !operand.isSpan() && !operand.boxed;
        return !operand.isSpan() || !operand.inMemory() || !operand.written();
      }))
    return fail(message("the executor has no operations such as {}", n.row->name));
  OperationCode code;
  code.row = n.row;
  code.barrier = n.barrier;
  code.map = n.map;
  code.slot = vectorOf(n.slot);
  for (std::size_t i = 0; i < n.places.size(); ++i) {
    const device::BufferPlace& place = n.places[i];
    const device::OperandRow& operand = n.row->operands[i];
    OperationCode::Operand o;
    o.area = areaOf(place.buffer);
    if (error_) return;
    o.index = vectorOf(place.index());
    o.site = site(o.area, operand.written());
    o.lanes = place.lanes;
    o.box = place.box;
    if (operand.inMemory()) o.packed = device::packedIn(n, place).value_or(ir::DType());
    if (ofGroup && !operand.inMemory()) code_.areas[o.area].warps = kWarpsOfGroup;
    if (ofThread && code_.areas[o.area].memory == device::Memory::Local)
      return fail(message("{} takes {} from memory that each thread has for itself", n.row->name, place.buffer->name));
    // CUDA programming guide, load_matrix_sync: all threads of the warp give one address, which none in local memory
    // is.
    if (operand.inMemory() && code_.areas[o.area].memory == device::Memory::Local)
      return fail(message("a warp loads or stores a tile of {}, which each thread has for itself", place.buffer->name));
    if (operand.isSpan() && !operand.inMemory() && operand.held) o.tile = tileElements(operand, place.buffer->dtype);
    code.operands.push_back(o);
  }
  for (const ir::Expr& value : n.values) code.values.push_back({vectorOf(value), value->dtype.isFloat()});
  code.blocks = n.row->findValue("blocks");
  if (error_) return;
  code_.operations.push_back(std::move(code));
  emit_.push({Op::Operation, false, kNone, kNone, kNone, kNone, std::int64_t(code_.operations.size()) - 1});
}

Result<Code> compile(const device::Kernel& kernel, const device::Program& program, Writers& writers) {
  return KernelCompiler(kernel, program, writers).run();
}

namespace {

// Of a box, which one thread of the block moves, each warp's share.
double nanosecondsOf(const Code& code, const OperationCode& operation) {
  constexpr double kElement = 25;
  const auto& box = operation.operands.front().box;
  return box[0] > 0 ? kElement * double(box[0] * box[1]) / code.warps() : operation.row->nanoseconds;
}

}  // namespace

double estimateBlock(const Code& code, const std::vector<std::int64_t>& trips) {
  // Nanoseconds on one core of a server, rounded: what matters is their order of magnitude.
  double lanes = double(std::min<std::int64_t>(code.threads(), kLanes)) / kLanes;
  double total = 0;
  std::vector<double> times{1};
  for (const Instruction& i : code.instructions) {
    double cost = 4;
    switch (i.op) {
      case Op::LoopBegin: {
        std::int64_t n = i.c < trips.size() && trips[i.c] > 0 ? trips[i.c] : code.loops[i.c].extent;
        times.push_back(times.back() * double(n < 0 ? 8 : n));
        break;
      }
      case Op::LoopNext:
        total += times.back() * cost;
        times.pop_back();
        break;
      case Op::Load:
      case Op::Store: {
        // One element for all lanes is cheap, and so is a row of the lanes' own.
        bool one = i.a == kNone;
        bool local = code.areas[i.c].memory == device::Memory::Local;
        cost = local && one ? 40 : one ? 60 : i.op == Op::Load ? 20 + 120 * lanes : 20 + 250 * lanes;
        break;
      }
      case Op::Operation: cost = nanosecondsOf(code, code.operations[std::size_t(i.imm)]); break;
      default: cost = i.uniform ? 3 : 5 + 20 * lanes;
    }
    total += times.back() * cost;
  }
  return total * code.warps();
}

}  // namespace loom::exec
