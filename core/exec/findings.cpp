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
  if (f.ofSums)
    return message("sums before wait: {} uses {}[{}], to which products on their way add ({})", threadText(f, 0),
                   f.buffer, f.element, place(f));
  const Message other = otherThread(f, message("a thread"));
  return f.write ? message("write before wait: {} writes {}[{}], which {} had copied and not waited for ({})",
                           threadText(f, 0), f.buffer, f.element, other, place(f))
                 : message("read before wait: {} reads {}[{}], which {} had copied and not waited for ({})",
                           threadText(f, 0), f.buffer, f.element, other, place(f));
}

Message waiterText(const Finding::Waiter& w) {
  using What = Finding::Waiter::What;
  const Message warp = message("the warp of thread {}", triple(w.thread));
  switch (w.what) {
    case What::Barrier: return message("{} waits at a barrier", warp);
    case What::Products:
      return message("{} waits for group {} of products, of which not all warps have started more than {}", warp,
                     w.wanted, w.reached);
    case What::Phase:
      return message("{} waits for phase {} of {}[{}], which has completed {} and misses {} arrivals and {} bytes",
                     warp, w.wanted, w.mbarrier, w.slot, w.reached, w.arrivals, w.bytes);
  }
  return {};
}

Message deadlock(const Finding& f) {
  if (f.waiters.empty())
    return message("deadlock: {} waits at a barrier that {} doesn't reach ({})", threadText(f, 0),
                   otherThread(f, message("another thread")), place(f));
  Message all = waiterText(f.waiters.front());
  for (std::size_t n = 1; n < f.waiters.size(); ++n) all = message("{}; {}", std::move(all), waiterText(f.waiters[n]));
  return message("deadlock: all wait, and nothing is on its way: {} ({})", std::move(all), place(f));
}

Message stillRead(const Finding& f) {
  return message("overwritten too early: {} writes {}[{}], which operations of {} may still read ({})",
                 threadText(f, 0), f.buffer, f.element, otherThread(f, message("a thread")), place(f));
}

Message notFenced(const Finding& f) {
  if (f.ofSums)
    return message(
        "missing fence: products of {} add to {}[{}], which was written with no fence of registers since ({})",
        threadText(f, 0), f.buffer, f.element, place(f));
  const Message other = otherThread(f, message("a thread"));
  return f.write ? message(
                       "missing fence: an asynchronous operation of {} overwrites {}[{}], which {} wrote with no "
                       "fence since ({})",
                       threadText(f, 0), f.buffer, f.element, other, place(f))
                 : message(
                       "missing fence: an asynchronous operation of {} reads {}[{}], which {} wrote with no fence "
                       "since ({})",
                       threadText(f, 0), f.buffer, f.element, other, place(f));
}

Message wrongPhase(const Finding& f) {
  switch (f.phase) {
    case Finding::Phase::Passed:
      return message("wrong phase: {} waits for phase {} of {}[{}], which has completed {} ({})", threadText(f, 0),
                     f.wanted, f.buffer, f.element, f.reached, place(f));
    case Finding::Phase::Ahead:
      return message(
          "wrong phase: {} waits for phase {} of {}[{}], of which {} have ended: the parity takes an earlier "
          "one for it ({})",
          threadText(f, 0), f.wanted, f.buffer, f.element, f.reached, place(f));
    case Finding::Phase::Early:
      return message(
          "wrong phase: {} arrives for phase {} of {}[{}], and doesn't know that the one before is over ({})",
          threadText(f, 0), f.wanted, f.buffer, f.element, place(f));
    case Finding::Phase::Overtaking:
      return message(
          "wrong phase: {} ends phase {} of {}[{}], and doesn't know that all have gone on from the one before ({})",
          threadText(f, 0), f.wanted, f.buffer, f.element, place(f));
  }
  return {};
}

Message sentence(const Finding& f) {
  switch (f.kind) {
    case Finding::Kind::OutOfBounds: return outOfBounds(f);
    case Finding::Kind::Uninitialised:
      return message("read of what was never written: {} reads {}[{}] ({})", threadText(f, 0), f.buffer, f.element,
                     place(f));
    case Finding::Kind::RaceInBlock: return raceInBlock(f);
    case Finding::Kind::RaceBetweenBlocks: return raceBetweenBlocks(f);
    case Finding::Kind::Deadlock: return deadlock(f);
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
    case Finding::Kind::StillRead: return stillRead(f);
    case Finding::Kind::EndedEarly:
      return message("ended too early: {} ends, and what it stores from {}[{}] on may not have been read ({})",
                     threadText(f, 0), f.buffer, f.element, place(f));
    case Finding::Kind::NotFenced: return notFenced(f);
    case Finding::Kind::WrongPhase: return wrongPhase(f);
    case Finding::Kind::Unannounced:
      return message(
          "bytes that nobody announced: a copy of {} brings {} bytes to {}[{}], more than its phase expects ({})",
          threadText(f, 0), f.reached, f.buffer, f.element, place(f));
    case Finding::Kind::Unready:
      return message("mbarrier that isn't ready: {} uses {}[{}], and doesn't know that it has been made ({})",
                     threadText(f, 0), f.buffer, f.element, place(f));
    case Finding::Kind::MaybeEnded:
      return message(
          "a block that may have ended: {} uses {}[{}] of another block of its cluster, which doesn't wait for it, "
          "and no barrier of the cluster comes after ({})",
          threadText(f, 0), f.buffer, f.element, place(f));
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
    case Finding::Kind::StillRead: return "still_read";
    case Finding::Kind::EndedEarly: return "ended_early";
    case Finding::Kind::NotFenced: return "not_fenced";
    case Finding::Kind::WrongPhase: return "wrong_phase";
    case Finding::Kind::Unannounced: return "unannounced";
    case Finding::Kind::Unready: return "unready";
    case Finding::Kind::MaybeEnded: return "maybe_ended";
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
