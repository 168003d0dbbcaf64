#include "core/sass/kernel.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <string_view>

#include "core/sass/countable.h"
#include "core/sass/flow.h"
#include "core/sass/operand_text.h"
#include "core/sass/warpgroup_product.h"

namespace loom::sass {
namespace {

using std::string_view;

int bytesOf(string_view opcode) {
  for (auto [part, bytes] : {std::pair<string_view, int>{"128", 16},
                             {"64", 8},
                             {"U16", 2},
                             {"S16", 2},
                             {"16", 2},
                             {"U8", 1},
                             {"S8", 1},
                             {"8", 1}})
    if (hasModifier(opcode, part)) return bytes;
  return 4;
}

// A mark's outermost place. `//## File "/a/mma.hpp", line 91 inlined at "/b/kernel.cu", line 36` → kernel.cu, 36.
struct Place {
  string_view file;  // without folders
  int line = 0;
};
Place placeOf(string_view mark, bool outermost) {
  std::size_t at = outermost ? mark.rfind("\", line ") : mark.find("\", line ");
  if (at == string_view::npos) return {};
  Place place;
  std::size_t open = mark.substr(0, at).rfind('"');
  place.file = open == string_view::npos ? mark.substr(0, at) : mark.substr(open + 1, at - open - 1);
  place.file.remove_prefix(std::min(place.file.size(), place.file.rfind('/') + 1));
  std::from_chars(mark.data() + at + 8, mark.data() + mark.size(), place.line);
  return place;
}

constexpr int kPredicates = 256, kUniform = 512;

// Registers that an operand names: "R4", "R60.64", "[R19+0x10]", "desc[UR4][R2.64+0x8]", "P0", "!PT".
void registersOf(string_view operand, std::vector<int>& out) {
  for (std::size_t at = 0; at < operand.size(); ++at) {
    char before = at ? operand[at - 1] : ' ';
    if (std::isalnum(static_cast<unsigned char>(before))) continue;
    int base = 0;
    std::size_t digits = at + 1;
    if (operand.substr(at).starts_with("UR")) {
      base = kUniform;
      ++digits;
    } else if (operand[at] == 'P') {
      base = kPredicates;
    } else if (operand[at] != 'R') {
      continue;
    }
    int number = 0;
    auto parsed = std::from_chars(operand.data() + digits, operand.data() + operand.size(), number);
    if (parsed.ec != std::errc{} || number > 255) continue;
    out.push_back(base + number);
    if (string_view(parsed.ptr, operand.data() + operand.size()).starts_with(".64")) out.push_back(base + number + 1);
  }
}

// Whether all ways to the branch pass where it leads. Else it comes back from code that was put aside, such as a wait
// that is hardly ever needed, and closes no loop. A branch that nothing leads to counts as one that does.
bool returnsTo(const std::vector<Successors>& flow, int target, int branch) {
  if (target < 0) return true;
  bool all = true;
  follow(flow, 0, [&](int at) {
    if (at == target) return false;
    all = all && at != branch;
    return all;
  });
  return all;
}

// The registers of operand `n` of a warp's product (sums, first factor, second factor, what is added to); where the
// shape isn't known as many as most have.
int productRegisters(const Instruction& i, std::size_t n) {
  const bool second = n == 2;
  const auto bytes = tensorBytes(i);
  if (!bytes) return second ? 2 : 4;
  constexpr int kRegister = 32 * 4;  // bytes of all lanes
  return std::max(1, int(n == 1 ? bytes->a : second ? bytes->b : bytes->sums) / kRegister);
}

// The first operand is written, but for stores, branches and barriers; comparisons write predicates first.
void operandsOf(Instruction& i, string_view text) {
  std::vector<string_view> operands;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = std::min(text.find(", ", at), text.size());
    operands.push_back(trimmed(text.substr(at, end - at)));
    at = end + 2;
  }
  bool store = i.pipe == Pipe::GlobalStore || i.pipe == Pipe::SharedStore || i.pipe == Pipe::LocalStore;
  const std::optional<Opcode> known = opcodeOf(i.opcode);
  bool nothing = store || i.toShared || i.pipe == Pipe::Control || i.pipe == Pipe::Barrier ||
                 (known && known->writes == Writes::Nothing);
  std::size_t written = nothing ? 0 : i.opcode.find("SETP") != std::string::npos ? 2 : 1;
  // A product of a warpgroup has its sums when it was waited for; one that adds to the sums of the one before doesn't
  // wait, so that only its descriptors are read here.
  const bool together = warpgroupProductOf(i).has_value();
  for (std::size_t n = 0; n < operands.size(); ++n) {
    std::vector<int> named;
    registersOf(operands[n], named);
    if (together) {
      if (operands[n].starts_with("gdesc")) i.reads.insert(i.reads.end(), named.begin(), named.end());
      continue;
    }
    if (i.pipe == Pipe::Tensor) widen(named, productRegisters(i, n));
    if (n < written) {
      if (i.pipe == Pipe::LdMatrix)
        widen(named, i.matrices);
      else if (i.bytes > 4)
        widen(named, i.bytes / 4);
      else if (i.opcode.find("WIDE") != std::string::npos || i.opcode.find(".64") != std::string::npos)
        widen(named, 2);
      i.writes.insert(i.writes.end(), named.begin(), named.end());
    } else {
      if (store && n == 1 && i.bytes > 4) widen(named, i.bytes / 4);
      i.reads.insert(i.reads.end(), named.begin(), named.end());
    }
  }
  if (i.toShared) i.writes.push_back(kCopies);
  if (together) i.writes.push_back(kProducts);
  // Where some may stay pending, the oldest ones have had as long as a pass takes.
  const bool all = operands.size() > 1 && operands[1] == "0x0";
  if (i.opcode == "DEPBAR.LE" && all) i.reads.push_back(kCopies);
  if (i.opcode == "WARPGROUP.DEPBAR.LE" && all) i.reads.push_back(kProducts);
}

struct Reader {
  std::vector<Kernel> kernels;
  std::map<std::string, std::int64_t, std::less<>> labels;  // of the kernel being read
  std::vector<std::pair<std::size_t, std::string>> branches;
  std::vector<std::string> waiting;  // labels before the next instruction
  int line = 0;
  std::string inlined;
  bool chain = false;  // the mark before continues in the next one
  bool reading = false;
  int architecture = 0;
  std::string* constants = nullptr;  // of the bank that is being read

  // "/* 0x000fe20000000800 */": the first word of an encoding follows its instruction, the second has a line to itself.
  void encoding(string_view text) {
    if (!hasIssueControl(architecture) || kernels.back().instructions.empty()) return;
    text.remove_prefix(std::min(text.size(), text.find("0x")));
    if (text.size() < 2) return;
    std::uint64_t word = 0;
    text.remove_prefix(2);
    auto parsed = std::from_chars(text.data(), text.data() + text.size(), word, 16);
    Instruction& last = kernels.back().instructions.back();
    if (parsed.ec == std::errc{} && !last.control) last.control = issueControlOf(word);
  }

  // Files of the toolkit stand for the line that calls them, where the mark says which; else for the line before.
  void mark(string_view text) {
    const Place inner = placeOf(text, false), outer = placeOf(text, true);
    const bool own = inner.file.ends_with(".cu");
    if (!chain) inlined.clear();
    if (!own) {
      if (!inlined.empty()) inlined += " ← ";
      inlined += std::string(inner.file) + ":" + std::to_string(inner.line);
    }
    if (outer.file.ends_with(".cu")) line = outer.line;
    chain = text.find(" inlined at ") != string_view::npos;
  }

  // ".nv.constant2.main_kernel": of a kernel that was read before.
  void bank(string_view name) {
    constants = nullptr;
    name.remove_prefix(string_view(".nv.constant").size());
    int number = 0;
    auto parsed = std::from_chars(name.data(), name.data() + name.size(), number);
    if (parsed.ec != std::errc{} || parsed.ptr == name.data() + name.size() || *parsed.ptr != '.') return;
    const string_view of(parsed.ptr + 1, std::size_t(name.data() + name.size() - parsed.ptr - 1));
    for (Kernel& k : kernels)
      if (k.name == of) constants = &k.constants[number];
  }
  void bytes(string_view text) {
    for (std::size_t at = 0; (at = text.find("0x", at)) != string_view::npos;) {
      unsigned value = 0;
      at += 2;
      std::from_chars(text.data() + at, text.data() + text.size(), value, 16);
      *constants += char(value);
    }
  }

  void finish() {
    constants = nullptr;
    if (!reading) return;
    reading = false;
    Kernel& k = kernels.back();
    // What fills up the end of the code; those within it are executed.
    while (!k.instructions.empty() && k.instructions.back().opcode == "NOP") k.instructions.pop_back();
    for (const auto& [index, label] : branches)
      if (auto at = labels.find(label); at != labels.end()) k.instructions[index].target = at->second;
    const auto flow = successorsOf(k);
    std::vector<Loop> loops;
    for (const auto& [index, label] : branches) {
      auto at = labels.find(label);
      Instruction& branch = k.instructions[index];
      if (branch.pipe != Pipe::Control) continue;                        // a call
      if (at == labels.end() || at->second >= branch.address) continue;  // forward, or the trap behind EXIT
      if (flow && !returnsTo(*flow, (*flow)[index].target, int(index))) continue;
      auto same = std::find_if(loops.begin(), loops.end(), [&](const Loop& l) { return l.first == at->second; });
      if (same != loops.end()) {
        same->last = std::max(same->last, branch.address);
        same->line = branch.line;
      } else {
        loops.push_back({at->second, branch.address, -1, branch.line});
      }
    }
    std::sort(loops.begin(), loops.end(),
              [](const Loop& a, const Loop& b) { return std::pair(a.first, -a.last) < std::pair(b.first, -b.last); });
    for (std::size_t i = 0; i < loops.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (loops[j].first <= loops[i].first && loops[i].last <= loops[j].last) loops[i].parent = int(j);
    for (Instruction& i : k.instructions)
      for (std::size_t l = 0; l < loops.size(); ++l)
        if (loops[l].first <= i.address && i.address <= loops[l].last) i.loop = int(l);
    k.loops = std::move(loops);
    labels.clear();
    branches.clear();
    waiting.clear();
  }

  void instruction(string_view text) {
    std::size_t end = text.find("*/");
    std::int64_t address = 0;
    auto parsed = std::from_chars(text.data() + 2, text.data() + end, address, 16);
    if (end == string_view::npos || parsed.ec != std::errc{} || parsed.ptr != text.data() + end) return;
    string_view body = text.substr(end + 2);
    body = trimmed(body.substr(0, body.find("/*")));
    Instruction i;
    i.address = address;
    i.line = line;
    i.inlined = inlined;
    chain = false;
    if (body.starts_with('@')) {
      i.predicated = true;
      std::size_t space = body.find(' ');
      if (space == string_view::npos) return;
      i.guard = std::string(body.substr(1, space - 1));
      body = trimmed(body.substr(space));
    }
    std::size_t space = std::min(body.find(' '), body.size());
    i.opcode = std::string(body.substr(0, space));
    if (i.opcode.empty()) return;
    const std::optional<Opcode> known = opcodeOf(i.opcode);
    i.pipe = known ? known->pipe : Pipe::Other;
    if (i.pipe == Pipe::LdMatrix) {
      i.matrices = hasModifier(i.opcode, "4") ? 4 : hasModifier(i.opcode, "2") ? 2 : 1;
      i.bytes = 16;
    } else if (i.pipe <= Pipe::LocalStore) {
      i.bytes = bytesOf(i.opcode);
    }
    i.toShared = i.opcode.starts_with("LDGSTS.");
    i.operands = std::string(trimmed(body.substr(space)));
    operandsOf(i, i.operands);
    for (std::string& label : waiting) labels[std::move(label)] = address;
    waiting.clear();
    if (i.pipe == Pipe::Control || i.opcode.starts_with("CALL.")) {
      std::size_t open = body.find("`("), close = body.find(')', open);
      if (open != string_view::npos && close != string_view::npos)
        branches.emplace_back(kernels.back().instructions.size(), body.substr(open + 2, close - open - 2));
    }
    kernels.back().instructions.push_back(std::move(i));
  }
};

}  // namespace

Result<std::vector<Kernel>> parse(const std::string& sass) {
  Reader r;
  for (std::size_t at = 0; at < sass.size();) {
    std::size_t end = std::min(sass.find('\n', at), sass.size());
    string_view text = trimmed(string_view(sass).substr(at, end - at));
    at = end + 1;
    if (text.starts_with(".text.") && text.ends_with(':')) {
      r.finish();
      r.kernels.push_back({std::string(text.substr(6, text.size() - 7)), {}, {}, r.architecture, {}});
      r.line = 0;
      r.inlined.clear();
      r.reading = true;
    } else if (text.starts_with(".target") && text.find("sm_") != string_view::npos) {
      const string_view number = text.substr(text.find("sm_") + 3);
      std::from_chars(number.data(), number.data() + number.size(), r.architecture);
    } else if (text.starts_with(".nv.constant") && text.ends_with(':')) {
      r.finish();
      r.bank(text.substr(0, text.size() - 1));
    } else if (text.starts_with(".byte") && r.constants != nullptr) {
      r.bytes(text.substr(5));
    } else if (!r.reading) {
      continue;
    } else if ((text.starts_with(".L_") || text.starts_with('$')) && text.ends_with(':')) {
      r.waiting.emplace_back(text.substr(0, text.size() - 1));
    } else if (text.starts_with("//##")) {
      r.mark(text);
    } else if (text.starts_with("/* 0x")) {
      r.encoding(text);
    } else if (text.starts_with("/*")) {
      r.instruction(text);
    } else if (text.starts_with(".section")) {
      r.finish();
    }
  }
  r.finish();
  std::erase_if(r.kernels, [](const Kernel& k) { return k.instructions.empty(); });
  if (r.kernels.empty()) return fail("SassError", message("the text holds no kernel's machine code"), Forbids::Input);
  return std::move(r.kernels);
}

}  // namespace loom::sass
