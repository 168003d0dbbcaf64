#include "core/model/pipeline_advice.h"

#include <algorithm>

#include "core/device/operation.h"

namespace loom::model {
namespace {

using device::Memory;

constexpr int kFirstWithAsync = 8;     // compute capability 8.0: cp.async
constexpr double kHardlyWaits = 0.05;  // of a k step

bool isIn(const std::vector<int>& loops, int loop) {
  return std::find(loops.begin(), loops.end(), loop) != loops.end();
}

// A store to shared memory of what the same statement reads of global memory.
bool isCopy(const KernelAccesses& k, const Access& a) {
  return a.write && isShared(a.memory) && std::any_of(k.accesses.begin(), k.accesses.end(), [&](const Access& other) {
           return other.statement == a.statement && !other.write && other.memory == Memory::Global;
         });
}

// Bytes that a thread copies at once where no cp.async does that; else 0.
int oddBytes(const Access& copy) {
  const int bytes = copy.elements * copy.bytes;
  return bytes == 4 || bytes == 8 || bytes == 16 ? 0 : bytes;
}

Message sentence(const std::string& subject, double exposed, double clocks) {
  if (subject == "turns")
    return message(
        "copies and products take turns: {:.0f} of {:.0f} clocks of a k step are copies that no product "
        "covers",
        exposed, clocks);
  if (subject == "registers")
    return message(
        "copies run ahead through registers: {:.0f} of {:.0f} clocks of a k step are copies that no product "
        "covers",
        exposed, clocks);
  if (subject == "passing")
    return message(
        "copies arrive in time, but {:.0f} of {:.0f} clocks of a k step their bytes pass through L1 and no product "
        "covers that",
        exposed, clocks);
  return message(
      "copies run ahead by themselves: {:.0f} of {:.0f} clocks of a k step are copies that no product covers", exposed,
      clocks);
}

}  // namespace

std::optional<Advice> pipelineAdvice(const KernelModel& m, const Device& d) {
  if (!m.timeline || !m.estimate || m.timeline->step < 0) return std::nullopt;
  const Timeline& t = *m.timeline;
  const int loop = t.items[std::size_t(t.step)].loop;
  const bool multiplies = std::any_of(m.accesses.work.begin(), m.accesses.work.end(), [&](const Work& w) {
    return isIn(w.loops, loop) && (w.flops > 0 || w.tensorFlops > 0);
  });
  if (loop < 0 || !multiplies) return std::nullopt;
  Advice advice;
  double odd = 0;
  bool asynchronous = false, copies = false;
  for (const Access& a : m.accesses.accesses) {
    if (!isIn(a.loops, loop) || !isCopy(m.accesses, a)) continue;
    copies = true;
    if (advice.block.empty()) advice.block = a.blockName;
    if (a.statement->kind == device::StmtKind::Operation) {
      asynchronous = true;
    } else {
      odd = std::max(odd, double(oddBytes(a)));
    }
  }
  if (!copies) return std::nullopt;
  const device::StmtNode* statement = m.accesses.loops[std::size_t(loop)].statement;
  const bool ahead =
      statement->kind == device::StmtKind::Loop && static_cast<const device::LoopNode*>(statement)->pipelined;
  const Budget step = budgetOf(t, t.step);
  const double exposed = step.uncovered + step.waits[std::size_t(Track::Copy)];
  if (step.clocks <= 0 || t.clocks <= 0) return std::nullopt;
  double passes = 1;
  for (int item = t.step; item >= 0; item = t.items[std::size_t(item)].parent)
    passes *= double(t.items[std::size_t(item)].extent);
  advice.code = "pipeline";
  const bool waits = step.waits[std::size_t(Track::Copy)] >= kHardlyWaits * step.clocks;
  advice.subject = asynchronous ? waits || exposed < kHardlyWaits * step.clocks ? "ring" : "passing"
                   : ahead      ? "registers"
                                : "turns";
  advice.microseconds =
      (m.estimate->microseconds - m.estimate->launchMicroseconds) * std::min(1.0, exposed * passes / t.clocks);
  advice.numbers = {{"clocks", step.clocks},
                    {"exposed", exposed},
                    {"percent", 100 * exposed / step.clocks},
                    {"bytes", odd},
                    {"old", d.major < kFirstWithAsync ? 1.0 : 0.0},
                    {"microseconds", advice.microseconds}};
  advice.message = sentence(advice.subject, exposed, step.clocks);
  return advice;
}

}  // namespace loom::model
