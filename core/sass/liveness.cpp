#include "core/sass/liveness.h"

#include <bitset>
#include <map>
#include <set>

#include "core/sass/flow.h"
#include "core/sass/operand.h"
#include "core/sass/registers.h"

namespace loom::sass {
namespace {

constexpr int kRegisters = 255;
using Registers = std::bitset<256>;

Registers general(const std::vector<int>& registers) {
  Registers all;
  for (int r : registers)
    if (r < kRegisters) all.set(std::size_t(r));
  return all;
}

// Backwards over the control flow. What a function does to the registers that are alive behind its call is known by two
// passes: one where nothing is alive when it returns, one where everything is.
class Flow {
 public:
  Flow(const Kernel& sass, std::vector<Successors> successors)
      : code_(sass.instructions), successors_(std::move(successors)), size_(code_.size()) {
    for (std::size_t n = 0; n < size_; ++n) {
      const RegisterUse use = registersOf(code_[n]);
      reads_.push_back(general(use.reads));
      writes_.push_back(general(use.writes));
      if (successors_[n].calls >= 0) functions_.try_emplace(std::size_t(successors_[n].calls));
    }
    for (auto& [first, f] : functions_) enter(first, f);
    for (bool changed = !functions_.empty(); changed;) {
      changed = false;
      const auto needed = pass([](std::size_t) { return Registers(); });
      const auto kept = pass([](std::size_t) { return ~Registers(); });
      for (auto& [first, f] : functions_) {
        changed = changed || f.needs != needed[first] || f.keeps != kept[first];
        f.needs = needed[first];
        f.keeps = kept[first];
      }
    }
  }

  // Alive before each instruction.
  std::vector<Registers> before() const {
    std::vector<Registers> before(size_), old;
    if (functions_.empty()) return pass([](std::size_t) { return Registers(); });
    do {  // what is alive behind the calls is so when the function returns
      old = before;
      before = pass([&](std::size_t at) {
        Registers all;
        for (std::size_t n = 0; n < size_; ++n) {
          if (successors_[n].calls < 0 || successors_[n].next < 0) continue;
          if (functions_.at(std::size_t(successors_[n].calls)).body.count(at))
            all |= old[std::size_t(successors_[n].next)];
        }
        return all;
      });
    } while (before != old);
    return before;
  }

  // Registers that the instruction gives a value, a function's among them.
  Registers writes(std::size_t n) const {
    Registers all = writes_[n];
    if (successors_[n].calls >= 0)
      for (std::size_t at : functions_.at(std::size_t(successors_[n].calls)).body) all |= writes_[at];
    return all;
  }

 private:
  struct Function {
    std::set<std::size_t> body;  // instructions
    Registers needs, keeps;      // alive before a call: needs | (keeps & alive behind it)
  };

  void enter(std::size_t first, Function& f) const {
    std::vector<std::size_t> waiting = {first};
    while (!waiting.empty()) {
      const std::size_t at = waiting.back();
      waiting.pop_back();
      if (!f.body.insert(at).second) continue;
      for (int to : {successors_[at].next, successors_[at].target, successors_[at].calls})
        if (to >= 0) waiting.push_back(std::size_t(to));
    }
  }

  // `returning` says what is alive behind a return.
  template <class F>
  std::vector<Registers> pass(const F& returning) const {
    std::vector<Registers> before(size_);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t n = size_; n-- > 0;) {
        const Successors& s = successors_[n];
        Registers after;
        if (s.next >= 0) after |= before[std::size_t(s.next)];
        if (s.calls >= 0) {
          const Function& f = functions_.at(std::size_t(s.calls));
          // Where the guard fails nothing is called.
          after = f.needs | (code_[n].predicated ? after : after & f.keeps);
        }
        if (s.target >= 0) after |= before[std::size_t(s.target)];
        if (s.returns) after |= returning(n);
        // Lanes whose guard fails keep what was there.
        if (!code_[n].predicated) after &= ~writes_[n];
        after |= reads_[n];
        if (after != before[n]) {
          before[n] = after;
          changed = true;
        }
      }
    }
    return before;
  }

  const std::vector<Instruction>& code_;
  std::vector<Successors> successors_;
  std::size_t size_;
  std::vector<Registers> reads_, writes_;
  std::map<std::size_t, Function> functions_;  // by first instruction
};

// The number that "USETMAXREG.TRY_ALLOC.CTAPOOL UP0, 0xe8" ends with.
int allottedBy(const Instruction& i) {
  const std::vector<Operand> operands = parseOperands(i.operands);
  return operands.empty() ? 0 : int(operands.back().value);
}

// Forwards from each such instruction to the next ones on all ways.
std::vector<RegisterAllotment> allotmentsOf(const std::vector<Instruction>& code,
                                            const std::vector<Successors>& successors, const std::vector<int>& alive) {
  std::vector<RegisterAllotment> all;
  const auto allots = [&](std::size_t n) { return code[n].opcode.starts_with("USETMAXREG"); };
  for (std::size_t from = 0; from < code.size(); ++from) {
    if (!allots(from)) continue;
    RegisterAllotment a{allottedBy(code[from])};
    follow(successors, successors[from].next, [&](int at) {
      if (allots(std::size_t(at))) return false;
      const int here = alive[std::size_t(at)];
      if (here > a.peak || (here == a.peak && at < a.peakAt)) a.peak = here, a.peakAt = at;
      return true;
    });
    all.push_back(a);
  }
  return all;
}

}  // namespace

Result<LiveRegisters> liveRegisters(const Kernel& sass) {
  auto successors = successorsOf(sass);
  if (!successors) return Failure(successors.error());
  const Flow flow(sass, *successors);
  std::vector<Registers> before = flow.before();
  // R1 is the stack pointer where a kernel begins by setting it, and by convention kept to the end.
  constexpr std::size_t kStack = 1;
  const bool stack = !before.empty() && flow.writes(0).test(kStack);
  LiveRegisters live;
  for (std::size_t n = 0; n < before.size(); ++n) {
    if (stack && n > 0) before[n].set(kStack);
    live.alive.push_back(int((before[n] | flow.writes(n)).count()));
    if (live.alive.back() > live.peak) {
      live.peak = live.alive.back();
      live.peakAt = int(n);
    }
  }
  live.allotments = allotmentsOf(sass.instructions, *successors, live.alive);
  return live;
}

}  // namespace loom::sass
