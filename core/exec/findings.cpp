#include "core/exec/findings.h"

#include <fmt/format.h>

#include "core/ir/with_noun.h"

namespace loom::exec {
namespace {

std::string triple(const std::array<std::int64_t, 3>& a) { return fmt::format("({}, {}, {})", a[0], a[1], a[2]); }

std::string threadText(const Finding& f, std::size_t i) {
  return fmt::format("{}thread {}", (i == 0 ? f.wholeWarp : f.otherWholeWarp) ? "the warp of " : "",
                     triple(f.threads.at(i)));
}

// "block X_shared, k = 3, blockIdx (0, 0, 0)"
std::string place(const Finding& f) {
  std::string text = f.blockName.empty() ? "kernel " + f.kernel : "block " + f.blockName;
  for (const auto& [name, value] : f.loops) text += fmt::format(", {} = {}", name, value);
  return text + ", blockIdx " + triple(f.blockIdx);
}

// Where an operation without a result stands.
std::string usedFor(const Finding& f) {
  return f.buffer.empty() ? "in a condition or an extent" : "for what it writes to " + f.buffer;
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

std::string describe(const Finding& f) {
  const char* does = f.write ? "writes" : "reads";
  std::string text;
  switch (f.kind) {
    case Finding::Kind::OutOfBounds:
      text = fmt::format("out of bounds: {} {} {}[{}], which has {} ({})", threadText(f, 0), does, f.buffer, f.element,
                         withNoun(f.elements, "element"), place(f));
      break;
    case Finding::Kind::Uninitialised:
      text = fmt::format("read of what was never written: {} reads {}[{}] ({})", threadText(f, 0), f.buffer, f.element,
                         place(f));
      break;
    case Finding::Kind::RaceInBlock:
      text = fmt::format("race inside a block: {} {} {}[{}], which {} used in block {} since the last barrier ({})",
                         threadText(f, 0), does, f.buffer, f.element,
                         f.threads.size() > 1 ? threadText(f, 1) : "more than one thread",
                         f.otherBlockName.empty() ? "?" : f.otherBlockName, place(f));
      break;
    case Finding::Kind::RaceBetweenBlocks:
      text = fmt::format("race between blocks: {} {} {}[{}], which blockIdx {} used in the same kernel ({})",
                         threadText(f, 0), does, f.buffer, f.element, triple(f.otherBlockIdx), place(f));
      break;
    case Finding::Kind::Deadlock:
      text = fmt::format("deadlock: {} waits at a barrier that {} doesn't reach ({})", threadText(f, 0),
                         f.threads.size() > 1 ? threadText(f, 1) : "another thread", place(f));
      break;
    case Finding::Kind::Misaligned:
      text = fmt::format("misaligned: {} accesses a {} at {}[{}], no multiple of {} ({})", threadText(f, 0),
                         f.wholeWarp ? "tile" : "vector", f.buffer, f.element, f.wholeWarp ? "32 bytes" : "its width",
                         place(f));
      break;
    case Finding::Kind::PartialWarp:
      text = fmt::format(
          "an operation of a whole warp runs without all of its lanes, or with different arguments: {} "
          "({})",
          threadText(f, 0), place(f));
      break;
    case Finding::Kind::UndeclaredAccess: {
      std::string at;
      for (const auto& [name, value] : f.loops) at += fmt::format("{}{} = {}", at.empty() ? " at " : ", ", name, value);
      text = fmt::format(
          "undeclared access: block {}{} {} {}[{}], outside the regions of its T.{}; schedules move it by what it "
          "declares",
          f.blockName, at, does, f.buffer, f.element, f.write ? "writes" : "reads");
      break;
    }
    case Finding::Kind::DivisionByZero:
      text = fmt::format("division by zero: {} divides by 0 {} ({})", threadText(f, 0), usedFor(f), place(f));
      break;
    case Finding::Kind::ShiftTooFar:
      text = fmt::format("shift past the width: {} shifts {} bits by {} {} ({})", threadText(f, 0), f.elements,
                         f.element, usedFor(f), place(f));
      break;
    case Finding::Kind::BeforeWait:
      text = fmt::format("{} before wait: {} {} {}[{}], which {} had copied and not waited for ({})",
                         f.write ? "write" : "read", threadText(f, 0), does, f.buffer, f.element,
                         f.threads.size() > 1 ? threadText(f, 1) : "a thread", place(f));
      break;
    case Finding::Kind::RepeatedStore:
      text = fmt::format("repeated store: {} writes the value to {}[{}] that {} wrote already ({})", threadText(f, 0),
                         f.buffer, f.element, f.threads.size() > 1 ? threadText(f, 1) : "another block", place(f));
      break;
  }
  if (f.ofOriginal) text = "the program itself: " + text;
  if (f.count > 1) text += fmt::format("; {} times there", f.count);
  return text;
}

}  // namespace loom::exec
