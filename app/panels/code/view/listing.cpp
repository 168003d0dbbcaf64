#include "app/panels/code/view/listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <set>
#include <string_view>

#include "app/notation/columns.h"

namespace loom::session {

namespace {

using std::string_view;

// Lines from the target of a backward branch to the branch.
struct Range {
  int first = 0, last = 0;
};

// The innermost of the ranges that has the most arithmetic, of equals the longest.
std::optional<Range> hottest(const std::vector<Range>& loops, const std::vector<bool>& arithmetic) {
  auto holds = [](const Range& outer, const Range& inner) {
    return outer.first <= inner.first && inner.last <= outer.last &&
           outer.last - outer.first > inner.last - inner.first;
  };
  std::optional<Range> best;
  std::pair<int, int> most{-1, 0};
  for (const Range& l : loops) {
    if (std::any_of(loops.begin(), loops.end(), [&](const Range& other) { return holds(l, other); })) continue;
    const auto from = arithmetic.begin() + l.first;
    const std::pair weight{int(std::count(from, arithmetic.begin() + l.last + 1, true)), l.last - l.first};
    if (weight > most) most = weight, best = l;
  }
  return best;
}

bool isArithmetic(sass::Pipe pipe) {
  return pipe == sass::Pipe::Fma || pipe == sass::Pipe::Half || pipe == sass::Pipe::Tensor;
}

string_view trimmed(string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t' || s.back() == '\r')) s.remove_suffix(1);
  return s;
}

std::vector<string_view> wordsOf(string_view s) {
  std::vector<string_view> words;
  for (std::size_t at = 0; at < s.size();) {
    const std::size_t from = s.find_first_not_of(" \t,", at);
    if (from == string_view::npos) break;
    at = std::min(s.find_first_of(" \t,", from), s.size());
    words.push_back(s.substr(from, at - from));
  }
  return words;
}

int numberOf(string_view s) {
  int n = 0;
  std::from_chars(s.data(), s.data() + s.size(), n);
  return n;
}

// Tabs to columns of eight, as PTX is laid out; the first one is an indentation of two.
std::string spaced(string_view line) {
  std::string out;
  for (char c : line) {
    if (c != '\t') {
      out += c;
    } else if (out.empty()) {
      out = "  ";
    } else {
      out.append(std::size_t(std::max(1, 14 - notation::columnsOf(out))), ' ');
    }
  }
  return out;
}

// `.file 1 "/a/kernel.cu"` stands at the end of the text.
std::map<int, std::string> filesOf(const std::vector<std::string>& lines) {
  std::map<int, std::string> files;
  for (const std::string& line : lines) {
    const auto words = wordsOf(line);
    if (words.size() < 3 || words[0] != ".file") continue;
    std::string name(words[2]);
    std::erase(name, '"');
    files[numberOf(words[1])] = name.substr(name.rfind('/') + 1);
  }
  return files;
}

// "@!P1 IMAD.X R12, UR4, 0x10" → "@!P IMAD.X R, UR, 0x10"; "%rd12" → "%rd"; "$L__BB0_7" → "$L"; ".L_x_3" → ".L".
std::string withoutNumbers(string_view line) {
  auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  std::string out;
  for (std::size_t at = 0; at < line.size();) {
    if (!isWord(line[at])) {
      out += line[at++];
      continue;
    }
    std::size_t end = at;
    while (end < line.size() && isWord(line[end])) ++end;
    const string_view word = line.substr(at, end - at);
    const char before = at > 0 ? line[at - 1] : ' ';
    at = end;
    if ((before == '$' || before == '.') && word.starts_with("L_")) {
      out += 'L';
      continue;
    }
    std::size_t letters = word.find_first_of("0123456789");
    letters = std::min(letters, word.size());
    const bool numbered =
        letters > 0 && letters < word.size() && std::all_of(word.begin() + letters, word.end(), isDigit);
    const string_view kind = word.substr(0, letters);
    const bool named = before == '%' || kind == "R" || kind == "UR" || kind == "P" || kind == "UP" || kind == "B";
    out += numbered && named && before != '.' ? kind : word;
  }
  return out;
}

bool isPtxArithmetic(string_view line) {
  return line.find("fma.") != string_view::npos || line.find("mma.") != string_view::npos;
}

}  // namespace

MachineText sassText(const sass::Kernel& sass, const model::CompiledCount* compiled, const std::string& source) {
  MachineText text;
  std::map<std::int64_t, std::string> labels;  // by address; only those that are jumped to
  for (const sass::Instruction& i : sass.instructions) {
    if (i.target < 0) continue;
    const std::size_t open = i.operands.find("`("), close = i.operands.find(')');
    if (open != std::string::npos && close != std::string::npos)
      labels[i.target] = i.operands.substr(open + 2, close - open - 2);
  }
  auto add = [&](std::string line, int cuda, std::string inlined, double executions) {
    text.lines.push_back(std::move(line));
    text.cudaLines.push_back(cuda);
    text.inlined.push_back(std::move(inlined));
    text.executions.push_back(executions);
  };
  std::map<std::int64_t, int> lineAt;
  std::vector<int> lineOf;  // by instruction
  std::vector<bool> arithmetic;
  for (std::size_t n = 0; n < sass.instructions.size(); ++n) {
    const sass::Instruction& i = sass.instructions[n];
    if (auto label = labels.find(i.address); label != labels.end()) {
      lineAt[i.address] = int(text.lines.size());
      add(label->second + ":", 0, "", -1);
      text.instructionOf.push_back(-1);
      arithmetic.push_back(false);
    } else {
      lineAt[i.address] = int(text.lines.size());
    }
    lineOf.push_back(int(text.lines.size()));
    const std::string guard = i.predicated ? "@" + i.guard : "";
    add(fmt::format("{:>5} {}{}{};", guard, i.opcode, i.operands.empty() ? "" : " ", i.operands), i.line, i.inlined,
        compiled && n < compiled->executions.size() ? compiled->executions[n] : -1);
    text.instructionOf.push_back(int(n));
    arithmetic.push_back(isArithmetic(i.pipe));
    ++text.instructions;
  }
  text.margin = issueColumnsOf(sass, lineOf, int(text.lines.size()));
  auto lastLineAt = [&](std::int64_t address) {
    auto next = lineAt.upper_bound(address);
    return (next == lineAt.end() ? int(text.lines.size()) : next->second) - 1;
  };
  std::optional<Range> hot;
  if (compiled && compiled->hotLoop >= 0 && compiled->hotLoop < int(sass.loops.size())) {
    const sass::Loop& l = sass.loops[std::size_t(compiled->hotLoop)];
    hot = Range{lineAt[l.first], lastLineAt(l.last)};
    text.hotIteration = hotLoopIterationOf(sass, compiled->hotLoop, source);
  } else if (!compiled) {
    std::vector<Range> loops;
    for (const sass::Loop& l : sass.loops) loops.push_back({lineAt[l.first], lastLineAt(l.last)});
    hot = hottest(loops, arithmetic);
  }
  if (!hot) return text;
  text.hotFirst = hot->first;
  text.hotLast = hot->last;
  for (int line = hot->first; line <= hot->last; ++line)
    text.hotInstructions += text.lines[std::size_t(line)].back() == ';';
  return text;
}

const MachineText* listingOf(const StateModel& model) {
  if (!model.machine) return nullptr;
  return &model.views.get<MachineText>([&] {
    const auto& compiled = model.kernel->compiled;
    return sassText(*model.machine, compiled ? &*compiled : nullptr, model.text->source.text);
  });
}

const MachineText& listingOf(const PtxText& ptx) {
  return ptx.views.get<MachineText>([&] { return ptxText(ptx.text); });
}

MachineText ptxText(const std::string& ptx) {
  MachineText text;
  const std::vector<std::string> all = script::splitLines(ptx);
  const std::map<int, std::string> files = filesOf(all);
  auto nameOf = [&](string_view file) {
    auto found = files.find(numberOf(file));
    return found == files.end() ? std::string() : found->second;
  };
  int cuda = 0;
  std::string inlined;
  bool body = false;  // the head says what made it; nobody reads it twice
  std::vector<bool> arithmetic, isInstruction;
  std::map<std::string, int, std::less<>> labels;
  std::vector<Range> loops;
  for (const std::string& whole : all) {
    const string_view line = trimmed(whole);
    if (line.starts_with(".version") || line.starts_with(".target") || line.starts_with(".visible")) body = true;
    if (line.starts_with(".file") || line.starts_with(".section")) break;
    if (!body || line.empty() || line.starts_with("//")) continue;
    if (line.starts_with(".loc")) {
      const auto words = wordsOf(line);
      if (words.size() < 3) continue;
      const std::string name = nameOf(words[1]);
      auto at = std::find(words.begin(), words.end(), "inlined_at");
      const bool own = name.ends_with(".cu");
      inlined = own ? "" : fmt::format("{}:{}", name, words[2]);
      if (own) cuda = numberOf(words[2]);
      if (at != words.end() && words.end() - at > 2 && nameOf(at[1]).ends_with(".cu")) cuda = numberOf(at[2]);
      continue;
    }
    const int here = int(text.lines.size());
    const bool label = line.front() == '$' && line.back() == ':';
    // The compiler's own headers write instructions in braces: {  cvt.f32.f16 %f1, %rs1;}
    string_view inside = line;
    if (inside.front() == '{') inside = trimmed(inside.substr(1));
    if (!inside.empty() && inside.back() == '}') inside = trimmed(inside.substr(0, inside.size() - 1));
    const bool directive = inside.empty() || inside.front() == '.' || inside.front() == '}' || inside.front() == ')';
    if (label) labels[std::string(line.substr(0, line.size() - 1))] = here;
    if (line.find("bra") != string_view::npos) {
      const auto words = wordsOf(line);
      std::string target(words.back());
      std::erase(target, ';');
      if (auto found = labels.find(target); found != labels.end()) loops.push_back({found->second, here});
    }
    const bool instruction = !label && !directive && inside.back() == ';';
    text.lines.push_back(spaced(whole));
    text.cudaLines.push_back(instruction ? cuda : 0);
    text.inlined.push_back(instruction ? inlined : "");
    arithmetic.push_back(isPtxArithmetic(line));
    text.instructions += instruction;
    isInstruction.push_back(instruction);
  }
  if (auto hot = hottest(loops, arithmetic)) {
    text.hotFirst = hot->first;
    text.hotLast = hot->last;
    for (int i = hot->first; i <= hot->last; ++i) text.hotInstructions += isInstruction[std::size_t(i)];
  }
  return text;
}

script::LineDiff diffMachine(const std::vector<std::string>& before, const std::vector<std::string>& after) {
  auto read = [](const std::vector<std::string>& lines) {
    std::vector<std::string> bare;
    bare.reserve(lines.size());
    for (const std::string& line : lines) bare.push_back(withoutNumbers(line));
    return bare;
  };
  script::LineDiff diff = script::diffLines(read(before), read(after), false);
  for (script::LineDiff::Gone& gone : diff.gone) gone.text = before[std::size_t(gone.line)];
  return diff;
}

}  // namespace loom::session
