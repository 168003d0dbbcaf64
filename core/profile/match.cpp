#include "core/profile/match.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>

namespace loom::profile {

namespace {

using std::string_view;

// Words of an instruction without commas: nvdisasm has none before the function that RET returns from, ncu has one.
// Whether a source stays in the reuse cache is said by nvdisasm alone.
std::vector<std::string> wordsOf(string_view text) {
  constexpr string_view kReuse = ".reuse";
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t from = text.find_first_not_of(" \t,", at);
    if (from == string_view::npos) break;
    at = std::min(text.find_first_of(" \t,", from), text.size());
    std::string word(text.substr(from, at - from));
    for (std::size_t reuse; (reuse = word.find(kReuse)) != std::string::npos;) word.erase(reuse, kReuse.size());
    words.push_back(std::move(word));
  }
  return words;
}

std::string textOf(const sass::Instruction& i) {
  return fmt::format("{}{} {}", i.predicated ? "@" + i.guard + " " : "", i.opcode, i.operands);
}

// "`(0x1290)" → 0x1290; −1 for what isn't one.
std::int64_t offsetIn(string_view label) {
  if (!label.starts_with("`(0x")) return -1;
  std::int64_t value = -1;
  std::from_chars(label.data() + 4, label.data() + label.size(), value, 16);
  return value;
}

bool agree(const sass::Instruction& ours, const std::string& theirs) {
  const auto a = wordsOf(textOf(ours)), b = wordsOf(theirs);
  if (a.size() != b.size()) return false;
  for (std::size_t n = 0; n < a.size(); ++n) {
    if (a[n] == b[n]) continue;
    // A name that stands for an address; where it leads is known of branches and calls.
    const bool label = a[n].starts_with("`(") || a[n].find("@lo(") != std::string::npos;
    if (!label || !(b[n].starts_with("`(0x") || b[n].starts_with("0x"))) return false;
    const std::int64_t offset = offsetIn(b[n]);
    if (ours.target >= 0 && offset >= 0 && offset != ours.target) return false;
  }
  return true;
}

Failure other(Message message) { return fail("OtherCode", std::move(message), Forbids::Input); }

}  // namespace

Result<void> matches(const StallProfile& profile, const sass::Kernel& sass) {
  const auto& theirs = profile.instructions;
  const auto& ours = sass.instructions;
  if (profile.kernel != sass.name)
    return other(message("the profile is of kernel {}, this is {}", profile.kernel, sass.name));
  for (std::size_t n = 0; n < std::min(ours.size(), theirs.size()); ++n) {
    const std::string& text = theirs[n].text;
    const bool same = ours[n].address - ours.front().address == theirs[n].offset && agree(ours[n], text);
    if (!same) {
      return other(message("the profile is of other machine code: its instruction {} is \"{}\", here it is \"{}\"",
                           n + 1, text, textOf(ours[n])));
    }
  }
  if (theirs.size() < ours.size())
    return other(message("the profile has {} instructions, the machine code {}", theirs.size(), ours.size()));
  const auto filler = [](const InstructionStalls& i) { return i.text == "NOP"; };
  if (!std::all_of(theirs.begin() + std::ptrdiff_t(ours.size()), theirs.end(), filler))
    return other(message("the profile has {} instructions, the machine code {}", theirs.size(), ours.size()));
  return {};
}

std::vector<LineStalls> stallsByLine(const StallProfile& profile, const sass::Kernel& sass) {
  std::map<int, LineStalls> lines;
  for (std::size_t n = 0; n < sass.instructions.size(); ++n) {
    LineStalls& line = lines[sass.instructions[n].line];
    line.line = sass.instructions[n].line;
    ++line.instructions;
    line.stalls.add(profile.instructions[n].stalls);
  }
  std::vector<LineStalls> all;
  for (const auto& [number, line] : lines) all.push_back(line);
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.stalls.samples > b.stalls.samples; });
  return all;
}

std::vector<LoopStalls> stallsByLoop(const StallProfile& profile, const sass::Kernel& sass) {
  std::vector<LoopStalls> loops(sass.loops.size() + 1);
  for (std::size_t l = 0; l < sass.loops.size(); ++l) loops[l].loop = int(l);
  for (std::size_t n = 0; n < sass.instructions.size(); ++n) {
    const StallCount& stalls = profile.instructions[n].stalls;
    int loop = sass.instructions[n].loop;
    LoopStalls& own = loop < 0 ? loops.back() : loops[std::size_t(loop)];
    own.own.add(stalls);
    if (loop < 0) own.with.add(stalls);
    for (; loop >= 0; loop = sass.loops[std::size_t(loop)].parent) loops[std::size_t(loop)].with.add(stalls);
  }
  std::stable_sort(loops.begin(), loops.end(),
                   [](const auto& a, const auto& b) { return a.with.samples > b.with.samples; });
  return loops;
}

}  // namespace loom::profile
