#include "core/tune/mma_sync_lines.h"

#include <fmt/format.h>

#include <regex>
#include <utility>

#include "core/lower/swizzle.h"

namespace loom::tune {

namespace {

// Which lane holds which element of a 16 × 16 tile, in TVM's words for ldmatrix and mma.sync of 16-bit operands.
constexpr const char* kLayout =
    "lambda i, j: (i // 16, j // 16, i % 8 * 4 + j % 8 // 2, j % 16 // 8 * 4 + i % 16 // 8 * 2 + j % 2)";

std::string counterpart(std::string line) {
  static const std::pair<std::regex, const char*> kAll[] = {
      {std::regex(R"(wmma_fill_16x16x16_(f16|f32)\b)"), "mma_fill_16x16_$1"},
      {std::regex(R"(wmma_load_16x16x16_f16_(a|b|a_trans|b_trans)_shared(_dyn)?\b)"), "mma_ldmatrix_f16_$1$2"},
      {std::regex(R"(wmma_sync_16x16x16_(f16f16f16|f16f16f32)_trans\b)"), "mma_$1_trans_b"},
      {std::regex(R"(wmma_sync_16x16x16_(f16f16f16|f16f16f32)\b)"), "mma_$1"},
      {std::regex(R"(wmma_store_16x16x16_(f16|f32)_(global|shared|shared_dyn)\b)"), "mma_store_16x16_$1_$2_"},
      {std::regex(R"(wmma\.(matrix_a|matrix_b|accumulator))"), "warp"}};
  for (const auto& [pattern, other] : kAll) line = std::regex_replace(line, pattern, other);
  return line;
}

}  // namespace

std::vector<std::string> asMmaSync(const std::vector<std::string>& lines) {
  static const std::regex kFragment(
      R"re(^(\w+) = sch\.cache_(read|write)\(.*"wmma\.(matrix_a|matrix_b|accumulator)".*$)re");
  std::vector<std::string> others, layouts;
  bool placed = false;
  for (const std::string& line : lines) {
    std::smatch parts;
    if (std::regex_match(line, parts, kFragment))
      layouts.push_back(fmt::format("sch.transform_layout({}, (\"{}\", 0), {})", parts[1].str(),
                                    parts[2] == "read" ? "write" : "read", kLayout));
    std::string other = counterpart(line);
    if (other.find("wmma") != std::string::npos) return {};
    if (!placed && other.find("sch.tensorize(") != std::string::npos) {
      others.insert(others.end(), layouts.begin(), layouts.end());
      placed = layouts.size() == 3;
      if (!placed) return {};
    }
    others.push_back(std::move(other));
  }
  return placed ? others : std::vector<std::string>();
}

std::vector<std::string> swizzledLines(const std::vector<std::string>& lines, int span) {
  static const std::regex kAlign(R"re(^sch\.storage_align\((?:block=)?([^,]+),.*$)re");
  const std::string swizzle = fmt::format("sch.annotate($1, \"{}\", {})", lower::kSwizzle, span);
  std::vector<std::string> others;
  for (const std::string& line : lines) others.push_back(std::regex_replace(line, kAlign, swizzle));
  return others == lines ? std::vector<std::string>() : others;
}

}  // namespace loom::tune
