#include "core/model/sass.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <string_view>

namespace loom::model {
namespace {

using std::string_view;

string_view trimmed(string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t' || s.back() == '\r' || s.back() == ';')) s.remove_suffix(1);
  return s;
}

bool has(string_view opcode, string_view part) {
  for (std::size_t at = 0; (at = opcode.find(part, at)) != string_view::npos; ++at) {
    std::size_t end = at + part.size();
    if (at > 0 && opcode[at - 1] == '.' && (end == opcode.size() || opcode[end] == '.')) return true;
  }
  return false;
}

Pipe pipeOf(string_view opcode) {
  string_view stem = opcode.substr(0, opcode.find('.'));
  struct Row {
    string_view stem;
    Pipe pipe;
  };
  static constexpr std::array<Row, 42> kRows = {{
      {"LDG", Pipe::GlobalLoad}, {"LD", Pipe::GlobalLoad},   {"STG", Pipe::GlobalStore}, {"ST", Pipe::GlobalStore},
      {"LDS", Pipe::SharedLoad}, {"STS", Pipe::SharedStore}, {"LDSM", Pipe::LdMatrix},   {"LDL", Pipe::LocalLoad},
      {"STL", Pipe::LocalStore}, {"FFMA", Pipe::Fma},        {"FADD", Pipe::Fma},        {"FMUL", Pipe::Fma},
      {"FFMA2", Pipe::Fma},      {"HFMA2", Pipe::Half},      {"HADD2", Pipe::Half},      {"HMUL2", Pipe::Half},
      {"HMMA", Pipe::Tensor},    {"IMMA", Pipe::Tensor},     {"DMMA", Pipe::Tensor},     {"BMMA", Pipe::Tensor},
      {"IMAD", Pipe::Integer},   {"IADD3", Pipe::Integer},   {"VIADD", Pipe::Integer},   {"LEA", Pipe::Integer},
      {"LOP3", Pipe::Integer},   {"SHF", Pipe::Integer},     {"ISETP", Pipe::Integer},   {"MOV", Pipe::Integer},
      {"SEL", Pipe::Integer},    {"PRMT", Pipe::Integer},    {"IDP", Pipe::Integer},     {"FSEL", Pipe::Integer},
      {"UIADD3", Pipe::Integer}, {"ULEA", Pipe::Integer},    {"UMOV", Pipe::Integer},    {"ULOP3", Pipe::Integer},
      {"MUFU", Pipe::Special},   {"F2F", Pipe::Special},     {"I2F", Pipe::Special},     {"F2I", Pipe::Special},
      {"BRA", Pipe::Control},    {"BAR", Pipe::Barrier},
  }};
  // HFMA2.MMA R, -RZ, RZ, 0, 0 is how the assembler moves a zero; it is counted where it runs.
  for (const Row& r : kRows)
    if (r.stem == stem) return r.pipe;
  return Pipe::Other;
}

int bytesOf(string_view opcode) {
  for (auto [part, bytes] : {std::pair<string_view, int>{"128", 16},
                             {"64", 8},
                             {"U16", 2},
                             {"S16", 2},
                             {"16", 2},
                             {"U8", 1},
                             {"S8", 1},
                             {"8", 1}})
    if (has(opcode, part)) return bytes;
  return 4;
}

// "//## File "kernel.cu", line 12" → 12; 0 for files of the toolkit.
int lineOf(string_view mark) {
  if (mark.find("mma.h") != string_view::npos || mark.find("cuda_fp16") != string_view::npos) return 0;
  std::size_t at = mark.find("\", line ");
  if (at == string_view::npos) return 0;
  int line = 0;
  std::from_chars(mark.data() + at + 8, mark.data() + mark.size(), line);
  return line;
}

struct Reader {
  std::vector<SassKernel> kernels;
  std::map<std::string, std::int64_t, std::less<>> labels;  // of the kernel being read
  std::vector<std::pair<std::size_t, std::string>> branches;
  std::vector<std::string> waiting;  // labels before the next instruction
  int line = 0;

  void finish() {
    if (kernels.empty()) return;
    SassKernel& k = kernels.back();
    std::vector<SassLoop> loops;
    for (const auto& [index, label] : branches) {
      auto at = labels.find(label);
      const Instruction& branch = k.instructions[index];
      if (at == labels.end() || at->second >= branch.address) continue;  // forward, or the trap behind EXIT
      auto same = std::find_if(loops.begin(), loops.end(), [&](const SassLoop& l) { return l.first == at->second; });
      if (same != loops.end()) {
        same->last = std::max(same->last, branch.address);
        same->line = branch.line;
      } else {
        loops.push_back({at->second, branch.address, -1, branch.line});
      }
    }
    std::sort(loops.begin(), loops.end(), [](const SassLoop& a, const SassLoop& b) {
      return std::pair(a.first, -a.last) < std::pair(b.first, -b.last);
    });
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
    string_view body = trimmed(text.substr(end + 2));
    Instruction i;
    i.address = address;
    i.line = line;
    if (body.starts_with('@')) {
      i.predicated = true;
      std::size_t space = body.find(' ');
      if (space == string_view::npos) return;
      body = trimmed(body.substr(space));
    }
    i.opcode = std::string(body.substr(0, body.find(' ')));
    if (i.opcode.empty() || i.opcode == "NOP") return;
    i.pipe = pipeOf(i.opcode);
    if (i.pipe == Pipe::LdMatrix) {
      i.matrices = has(i.opcode, "4") ? 4 : has(i.opcode, "2") ? 2 : 1;
      i.bytes = 16;
    } else if (i.pipe <= Pipe::LocalStore) {
      i.bytes = bytesOf(i.opcode);
    }
    for (std::string& label : waiting) labels[std::move(label)] = address;
    waiting.clear();
    if (i.pipe == Pipe::Control) {
      std::size_t open = body.find("`("), close = body.find(')', open);
      if (open != string_view::npos && close != string_view::npos)
        branches.emplace_back(kernels.back().instructions.size(), body.substr(open + 2, close - open - 2));
    }
    kernels.back().instructions.push_back(std::move(i));
  }
};

}  // namespace

const char* nameOf(Pipe pipe) {
  static const char* kNames[] = {"global load", "global store", "shared load", "shared store", "ldmatrix",
                                 "local load",  "local store",  "fp32",        "fp16",         "tensor",
                                 "integer",     "special",      "control",     "barrier",      "other"};
  return kNames[int(pipe)];
}

Result<std::vector<SassKernel>> parseSass(const std::string& sass) {
  Reader r;
  for (std::size_t at = 0; at < sass.size();) {
    std::size_t end = std::min(sass.find('\n', at), sass.size());
    string_view text = trimmed(string_view(sass).substr(at, end - at));
    at = end + 1;
    if (text.starts_with(".text.") && text.ends_with(':')) {
      r.finish();
      r.kernels.push_back({std::string(text.substr(6, text.size() - 7)), {}, {}});
      r.line = 0;
    } else if (r.kernels.empty()) {
      continue;
    } else if (text.starts_with(".L_") && text.ends_with(':')) {
      r.waiting.emplace_back(text.substr(0, text.size() - 1));
    } else if (text.starts_with("//##")) {
      r.line = lineOf(text);
    } else if (text.starts_with("/*")) {
      r.instruction(text);
    } else if (text.starts_with(".section")) {
      r.finish();
      r.labels.clear();
    }
  }
  r.finish();
  std::erase_if(r.kernels, [](const SassKernel& k) { return k.instructions.empty(); });
  if (r.kernels.empty()) return fail("SassError", "the text holds no kernel's machine code", Forbids::Input);
  return std::move(r.kernels);
}

}  // namespace loom::model
