#include "core/exec/findings.h"

#include <fmt/format.h>

namespace loom::exec {
namespace {

std::string triple(const std::array<std::int64_t, 3>& a) { return fmt::format("({}, {}, {})", a[0], a[1], a[2]); }

Message threadText(const Finding& f, std::size_t i) {
  const std::string at = triple(f.threads.at(i));
  return (i == 0 ? f.wholeWarp : f.otherWholeWarp) ? message("the warp of thread {}", at) : message("thread {}", at);
}

Message otherThread(const Finding& f, Message unknown) {
  return f.threads.size() > 1 ? threadText(f, 1) : std::move(unknown);
}

// "block X_shared, k = 3, blockIdx (0, 0, 0)"
Message place(const Finding& f) {
  std::string loops;
  for (const auto& [name, value] : f.loops) loops += fmt::format(", {} = {}", name, value);
  const std::string at = triple(f.blockIdx);
  return f.blockName.empty() ? message("kernel {}{}, blockIdx {}", f.kernel, loops, at)
                             : message("block {}{}, blockIdx {}", f.blockName, loops, at);
}

// Where an operation without a result stands.
Message usedFor(const Finding& f) {
  return f.buffer.empty() ? message("in a condition or an extent") : message("for what it writes to {}", f.buffer);
}

Message outOfBounds(const Finding& f) {
  const Message size = f.elements == 1 ? message("1 element") : message("{} elements", f.elements);
  return f.write ? message("out of bounds: {} writes {}[{}], which has {} ({})", threadText(f, 0), f.buffer, f.element,
                           size, place(f))
                 : message("out of bounds: {} reads {}[{}], which has {} ({})", threadText(f, 0), f.buffer, f.element,
                           size, place(f));
}

Message raceInBlock(const Finding& f) {
  const Message other = otherThread(f, message("more than one thread"));
  const std::string block = f.otherBlockName.empty() ? "?" : f.otherBlockName;
  return f.write ? message(
                       "race inside a block: {} writes {}[{}], which {} used in block {} since the last barrier "
                       "({})",
                       threadText(f, 0), f.buffer, f.element, other, block, place(f))
                 : message(
                       "race inside a block: {} reads {}[{}], which {} used in block {} since the last barrier "
                       "({})",
                       threadText(f, 0), f.buffer, f.element, other, block, place(f));
}

Message raceBetweenBlocks(const Finding& f) {
  const std::string other = triple(f.otherBlockIdx);
  return f.write ? message("race between blocks: {} writes {}[{}], which blockIdx {} used in the same kernel ({})",
                           threadText(f, 0), f.buffer, f.element, other, place(f))
                 : message("race between blocks: {} reads {}[{}], which blockIdx {} used in the same kernel ({})",
                           threadText(f, 0), f.buffer, f.element, other, place(f));
}

Message misaligned(const Finding& f) {
  return f.wholeWarp ? message("misaligned: {} accesses a tile at {}[{}], no multiple of 32 bytes ({})",
                               threadText(f, 0), f.buffer, f.element, place(f))
                     : message("misaligned: {} accesses a vector at {}[{}], no multiple of its width ({})",
                               threadText(f, 0), f.buffer, f.element, place(f));
}

Message undeclaredAccess(const Finding& f) {
  std::string loops;
  for (const auto& [name, value] : f.loops) loops += fmt::format("{}{} = {}", loops.empty() ? "" : ", ", name, value);
  const Message at = loops.empty() ? verbatim(f.blockName) : message("{} at {}", f.blockName, loops);
  return f.write ? message(
                       "undeclared access: block {} writes {}[{}], outside the regions of its T.writes; schedules "
                       "move it by what it declares",
                       at, f.buffer, f.element)
                 : message(
                       "undeclared access: block {} reads {}[{}], outside the regions of its T.reads; schedules "
                       "move it by what it declares",
                       at, f.buffer, f.element);
}

Message beforeWait(const Finding& f) {
  const Message other = otherThread(f, message("a thread"));
  return f.write ? message("write before wait: {} writes {}[{}], which {} had copied and not waited for ({})",
                           threadText(f, 0), f.buffer, f.element, other, place(f))
                 : message("read before wait: {} reads {}[{}], which {} had copied and not waited for ({})",
                           threadText(f, 0), f.buffer, f.element, other, place(f));
}

Message sentence(const Finding& f) {
  switch (f.kind) {
    case Finding::Kind::OutOfBounds: return outOfBounds(f);
    case Finding::Kind::Uninitialised:
      return message("read of what was never written: {} reads {}[{}] ({})", threadText(f, 0), f.buffer, f.element,
                     place(f));
    case Finding::Kind::RaceInBlock: return raceInBlock(f);
    case Finding::Kind::RaceBetweenBlocks: return raceBetweenBlocks(f);
    case Finding::Kind::Deadlock:
      return message("deadlock: {} waits at a barrier that {} doesn't reach ({})", threadText(f, 0),
                     otherThread(f, message("another thread")), place(f));
    case Finding::Kind::Misaligned: return misaligned(f);
    case Finding::Kind::PartialWarp:
      return message("an operation of a whole warp runs without all of its lanes, or with different arguments: {} ({})",
                     threadText(f, 0), place(f));
    case Finding::Kind::UndeclaredAccess: return undeclaredAccess(f);
    case Finding::Kind::DivisionByZero:
      return message("division by zero: {} divides by 0 {} ({})", threadText(f, 0), usedFor(f), place(f));
    case Finding::Kind::ShiftTooFar:
      return message("shift past the width: {} shifts {} bits by {} {} ({})", threadText(f, 0), f.elements, f.element,
                     usedFor(f), place(f));
    case Finding::Kind::BeforeWait: return beforeWait(f);
    case Finding::Kind::RepeatedStore:
      return message("repeated store: {} writes the value to {}[{}] that {} wrote already ({})", threadText(f, 0),
                     f.buffer, f.element, otherThread(f, message("another block")), place(f));
  }
  return {};
}

}  // namespace

const char* nameOf(Finding::Kind kind) {
  switch (kind) {
    case Finding::Kind::OutOfBounds: return "out_of_bounds";
    case Finding::Kind::Uninitialised: return "uninitialised";
    case Finding::Kind::RaceInBlock: return "race_in_block";
    case Finding::Kind::RaceBetweenBlocks: return "race_between_blocks";
    case Finding::Kind::Deadlock: return "deadlock";
    case Finding::Kind::Misaligned: return "misaligned";
    case Finding::Kind::PartialWarp: return "partial_warp";
    case Finding::Kind::UndeclaredAccess: return "undeclared_access";
    case Finding::Kind::DivisionByZero: return "division_by_zero";
    case Finding::Kind::ShiftTooFar: return "shift_too_far";
    case Finding::Kind::BeforeWait: return "before_wait";
    case Finding::Kind::RepeatedStore: return "repeated_store";
  }
  return "";
}

Message describe(const Finding& f) {
  Message text = sentence(f);
  if (f.ofOriginal) text = message("the program itself: {}", std::move(text));
  if (f.count > 1) text = message("{}; {} times there", std::move(text), f.count);
  return text;
}

}  // namespace loom::exec
