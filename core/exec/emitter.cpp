#include "core/exec/emitter.h"

namespace loom::exec {

Operand Emitter::newTemporary() {
  Operand o{std::uint16_t(kTemporary | temporaries_++), false, true, std::uint16_t(depth())};
  mostTemporaries_ = std::max(mostTemporaries_, temporaries_);
  return o;
}

Operand Emitter::constant(Value v) { return pure(Op::Constant, {}, v.i); }

Operand Emitter::broadcast(Operand a) {
  if (!a.uniform) return a;
  return pure(Op::Broadcast, {a});
}

Operand Emitter::pure(Op op, std::vector<Operand> operands, std::int64_t imm) {
  bool uniform = op != Op::Broadcast, pinned = false;
  std::uint16_t depth = 0;
  for (const Operand& o : operands) {
    uniform = uniform && o.uniform;
    pinned = pinned || o.pinned;
    depth = std::max(depth, o.depth);
  }
  if (!uniform && op != Op::Broadcast) {
    for (Operand& o : operands) o = broadcast(o);
  }
  Instruction i{op, uniform};
  std::uint16_t* fields[] = {&i.a, &i.b, &i.c};
  for (std::size_t k = 0; k < operands.size(); ++k) *fields[k] = operands[k].reg;
  i.imm = imm;
  if (pinned) {
    Operand result = newTemporary();
    i.dst = result.reg;
    push(i);
    return result;
  }
  Scope& scope = scopes_[depth];
  std::array<std::int64_t, 6> key{std::int64_t(op), uniform, i.a, i.b, i.c, imm};
  auto [entry, fresh] = scope.known.try_emplace(key);
  if (fresh) {
    entry->second = {uniform ? newUniform() : newVector(), uniform, false, depth};
    i.dst = entry->second.reg;
    scope.prologue.push_back(i);
  }
  return entry->second;
}

void Emitter::beginLoop(Operand extent, std::uint16_t var, std::uint16_t loop) {
  Scope scope;
  scope.begin = {Op::LoopBegin, false, var, extent.reg, std::uint16_t(extent.uniform ? 0 : 1), loop, 0};
  scope.outerBody = std::move(body_);
  body_.clear();
  scopes_.push_back(std::move(scope));
}

void Emitter::endLoop() {
  Scope scope = std::move(scopes_.back());
  scopes_.pop_back();
  std::int64_t length = std::int64_t(scope.prologue.size() + body_.size());
  scope.begin.imm = length + 1;  // past LoopNext
  auto& out = scope.outerBody;
  out.push_back(scope.begin);
  out.insert(out.end(), scope.prologue.begin(), scope.prologue.end());
  out.insert(out.end(), body_.begin(), body_.end());
  out.push_back({Op::LoopNext, false, kNone, kNone, kNone, kNone, length});
  body_ = std::move(out);
}

void Emitter::finish(Code& code) {
  code.instructions = std::move(scopes_[0].prologue);
  code.instructions.insert(code.instructions.end(), body_.begin(), body_.end());
  code.instructions.push_back({Op::End});
  auto place = [&](std::uint16_t& reg) {
    if (reg & kTemporary) reg = std::uint16_t(vectors_ + (reg & ~kTemporary));
  };
  for (Instruction& i : code.instructions) {
    for (std::uint16_t* reg : {&i.dst, &i.a, &i.b, &i.c}) place(*reg);
    if (i.op != Op::LoadInBlock) continue;
    InBlock from = InBlock::of(i);
    place(from.block);
    i.imm = from.imm();
  }
  for (OperationCode& o : code.operations) {
    for (OperationCode::Operand& operand : o.operands) place(operand.index);
    for (OperationCode::Given& value : o.values) place(value.reg);
    place(o.slot);
  }
  for (SyncCode& s : code.syncs)
    for (std::uint16_t* reg : {&s.slot, &s.phase, &s.target}) place(*reg);
  code.uniforms = std::uint16_t(uniforms_);
  code.vectors = std::uint16_t(vectors_ + mostTemporaries_);
}

}  // namespace loom::exec
