#include "app/panels/code/view/mnemonics.h"

#include <algorithm>
#include <vector>

namespace loom::text {
namespace {

const Mnemonic* find(std::span<const Mnemonic> table, std::string_view name) {
  const auto at = std::find_if(table.begin(), table.end(), [&](const Mnemonic& m) { return m.name == name; });
  return at == table.end() ? nullptr : &*at;
}

// "@!P0 LDG.E.128 R4, [R2] ;" → "LDG.E.128".
std::string_view operationOf(std::string_view line) {
  constexpr std::string_view kSpace = " \t";
  auto skip = [&] { line.remove_prefix(std::min(line.find_first_not_of(kSpace), line.size())); };
  skip();
  if (line.starts_with('@')) {
    line.remove_prefix(std::min(line.find_first_of(kSpace), line.size()));
    skip();
  }
  return line.substr(0, std::min(line.find_first_of(" \t;,"), line.size()));
}

std::vector<std::string_view> parts(std::string_view name) {
  std::vector<std::string_view> out;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t dot = std::min(name.find('.', at), name.size());
    out.push_back(name.substr(at, dot - at));
    at = dot + 1;
  }
  return out;
}

}  // namespace

std::string explain(MachineDialect dialect, std::string_view line, Language language) {
  const std::string_view operation = operationOf(line);
  if (operation.empty() || operation.back() == ':') return {};
  const bool ptx = dialect == MachineDialect::kPtx;
  const std::span<const Mnemonic> names = ptx ? ptxMnemonics() : sassMnemonics();
  // The longest beginning that has a name: "IMAD.SHL" shifts, "IMAD" multiplies.
  std::string_view head = operation;
  const Mnemonic* found = find(names, head);
  while (found == nullptr && head.find('.') != std::string_view::npos) {
    head = head.substr(0, head.rfind('.'));
    found = find(names, head);
  }
  // Uniform forms without words of their own are as the one without their U: UPLOP3, UISETP.
  const std::string_view stem = operation.substr(0, operation.find('.'));
  const bool uniform = found == nullptr && !ptx && stem.starts_with('U');
  if (uniform) found = find(names, (head = stem).substr(1));
  if (found == nullptr) return {};
  static constexpr Text kUniform{", once for the warp", "，整个线程束一次"};
  std::string text =
      std::string(operation) + (language == Language::kChinese ? "：" : ": ") + found->words.in(language);
  if (uniform) text += kUniform.in(language);
  if (head.size() == operation.size()) return text;
  for (std::string_view part : parts(operation.substr(head.size() + 1))) {
    const Mnemonic* modifier = find(ptx ? ptxModifiers() : sassModifiers(), part);
    if (modifier != nullptr) text += std::string(" · ") + modifier->words.in(language);
  }
  return text;
}

}  // namespace loom::text
