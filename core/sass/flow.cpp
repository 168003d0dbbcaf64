#include "core/sass/flow.h"

#include <algorithm>
#include <string_view>

namespace loom::sass {
namespace {

bool is(const Instruction& i, std::string_view stem) {
  return std::string_view(i.opcode).substr(0, i.opcode.find('.')) == stem;
}

}  // namespace

Result<std::vector<Successors>> successorsOf(const Kernel& sass) {
  const auto& code = sass.instructions;
  std::vector<Successors> all(code.size());
  for (std::size_t n = 0; n < code.size(); ++n) {
    const Instruction& i = code[n];
    const bool always = !i.predicated;
    Successors& s = all[n];
    s.next = n + 1 < code.size() ? int(n) + 1 : -1;
    if (is(i, "EXIT") || is(i, "KILL")) {
      if (always) s.next = -1;
    } else if (is(i, "RET")) {
      s.returns = true;
      if (always) s.next = -1;
    } else if (is(i, "BRA") || is(i, "CALL")) {
      auto at = std::lower_bound(code.begin(), code.end(), i.target,
                                 [](const Instruction& x, std::int64_t address) { return x.address < address; });
      if (i.target < 0 || at == code.end() || at->address != i.target)
        return fail("SassUnknown", message("{} {} leads out of what was read", i.opcode, i.operands), Forbids::Input);
      (is(i, "CALL") ? s.calls : s.target) = int(at - code.begin());
      // "BRA P1, `(.L_x_3)" and "BRA.DIV UR4, `(.L_x_3)" have a further condition.
      const bool conditional = i.operands.find(", ") != std::string::npos || i.opcode != "BRA";
      if (always && is(i, "BRA") && !conditional) s.next = -1;
    } else if (is(i, "BRX") || is(i, "BRXU") || is(i, "JMP") || is(i, "JMX")) {
      return fail("SassUnknown", message("{} leads where only a register says", i.opcode), Forbids::Input);
    }
  }
  return all;
}

void follow(const std::vector<Successors>& flow, int from, const std::function<bool(int)>& goesOn) {
  std::vector<bool> seen(flow.size());
  std::vector<int> waiting = {from};
  while (!waiting.empty()) {
    const int at = waiting.back();
    waiting.pop_back();
    if (at < 0 || seen[std::size_t(at)]) continue;
    seen[std::size_t(at)] = true;
    if (!goesOn(at)) continue;
    const Successors& s = flow[std::size_t(at)];
    waiting.insert(waiting.end(), {s.next, s.target, s.calls});
  }
}

}  // namespace loom::sass
