#include "app/panels/code/view/mnemonics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <vector>

#include "core/sass/countable.h"

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

// The extents of a product, which PTX spells "m16n8k16" and SASS "16816".
struct Extents {
  int m = 0, n = 0, k = 0;
};
std::optional<Extents> extentsOf(bool ptx, std::string_view modifier) {
  if (!ptx) {
    const sass::ProductShape* shape = sass::findProductShape(modifier);
    return shape != nullptr ? std::optional(Extents{shape->m, shape->n, shape->k}) : std::nullopt;
  }
  Extents e;
  int end = 0;
  const std::string text(modifier);
  const int read = std::sscanf(text.c_str(), "m%dn%dk%d%n", &e.m, &e.n, &e.k, &end);
  return read == 3 && std::size_t(end) == text.size() ? std::optional(e) : std::nullopt;
}

std::string wordsOf(bool ptx, std::string_view modifier, Language language) {
  static constexpr Text kTile{"a tile of {}×{}, {} deep", "{}×{} 的分块，深 {}"};
  if (const auto e = extentsOf(ptx, modifier)) return fmt::format(fmt::runtime(kTile.in(language)), e->m, e->n, e->k);
  const Mnemonic* found = find(ptx ? ptxModifiers() : sassModifiers(), modifier);
  return found != nullptr ? found->words.in(language) : "";
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
    if (const std::string words = wordsOf(ptx, part, language); !words.empty()) text += " · " + words;
  }
  return text;
}

}  // namespace loom::text
