#include "core/device/operations/wgmma_texts.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace loom::device {
namespace {

// Sums are kept where they are: else the compiler puts a constant into its registers only where a product begins, after
// the fence that is to stand between, and the assembler must add another (C7519).
constexpr std::string_view kFill =
    "// Every element of a warpgroup's sum; they are in registers before the fence that products wait for.\n"
    "template <int kCount, typename T, typename V>\n"
    "__device__ __forceinline__ void wgmma_fill(T (&d)[kCount], V value) {\n"
    "#pragma unroll\n"
    "  for (int i = 0; i < kCount; ++i) {\n"
    "    d[i] = T(value);\n"
    "    if constexpr (T(0.5f) != 0) asm volatile(\"\" : \"+f\"(d[i])::\"memory\");\n"
    "    else asm volatile(\"\" : \"+r\"(d[i])::\"memory\");\n"
    "  }\n"
    "}\n";

// Element i of thread t, with w = t / 32, g = t % 32 / 4, q = t % 4: row 16w + g + 8·(i / 2 % 2), column
// 8·(i / 4) + 2q + i % 2; a thread stores two neighbours at once.
constexpr std::string_view kStore =
    "// Stores a warpgroup's sum of 64 rows. Rows lie `leading` elements apart; where kSwizzle isn't 0, in slabs of "
    "lines of\n"
    "// so many bytes, whose 16-byte pieces change places.\n"
    "template <int kSwizzle, int kCount, typename T>\n"
    "__device__ __forceinline__ void wgmma_store(T* to, int element, int leading, int slab, const T (&d)[kCount]) {\n"
    "  const int thread = threadIdx.x % 128, row = thread / 32 * 16 + thread % 32 / 4, column = thread % 4 * 2;\n"
    "  constexpr int kLine = kSwizzle ? kSwizzle / int(sizeof(T)) : 1, kPiece = 16 / int(sizeof(T));\n"
    "#pragma unroll\n"
    "  for (int i = 0; i < kCount; i += 2) {\n"
    "    const int r = row + i / 2 % 2 * 8, c = column + i / 4 * 8;\n"
    "    int at = element + (kSwizzle ? c / kLine * slab + r * kLine + c % kLine : r * leading + c);\n"
    "    if (kSwizzle) at ^= (at * int(sizeof(T)) >> 7 & kSwizzle / 16 - 1) * kPiece;\n"
    "    struct alignas(2 * sizeof(T)) Pair { T first, second; };\n"
    "    *reinterpret_cast<Pair*>(to + at) = Pair{d[i], d[i + 1]};\n"
    "  }\n"
    "}\n";

// Lanes of a warp write two neighbouring pieces of eight rows at once. In lines of 128 bytes these would meet in four
// of the eight pieces, in lines of 64 bytes, two of which lie side by side, in two of the four: every other row, or
// pair of rows, writes its columns in another order.
constexpr std::string_view kStoreColumns =
    "// Stores kColumns columns of a warpgroup's sum of 64 rows, from column `first` on, as rows of `leading` elements "
    "or, where\n"
    "// kSwizzle isn't 0, in slabs of lines of so many bytes, whose 16-byte pieces change places.\n"
    "template <int kSwizzle, int kColumns, int kCount, typename T>\n"
    "__device__ __forceinline__ void wgmma_store_columns(T* to, int element, int leading, int slab, const T "
    "(&d)[kCount], int first) {\n"
    "  const int thread = threadIdx.x % 128, row = thread / 32 * 16 + thread % 32 / 4, column = thread % 4 * 2;\n"
    "  constexpr int kLine = kSwizzle ? kSwizzle / int(sizeof(T)) : 1, kPiece = 16 / int(sizeof(T));\n"
    "  constexpr bool kPairs = kSwizzle == 64 && sizeof(T) == 4 && kColumns % 16 == 0;\n"
    "  constexpr int kOther = kSwizzle == 128 && kColumns % 32 == 0 ? 8 : kPairs ? 4 : 0;\n"
    "  const bool odd = kOther && row / (kPairs ? 2 : 1) % 2;\n"
    "#pragma unroll\n"
    "  for (int i = 0; i < kColumns / 2; i += 2) {\n"
    "    const int n = first / 2 + i, m = first / 2 + (i ^ kOther), r = row + i / 2 % 2 * 8;\n"
    "    const int c = column + (i / 4 ^ (odd ? kOther / 4 : 0)) * 8;\n"
    "    int at = element + (kSwizzle ? c / kLine * slab + r * kLine + c % kLine : r * leading + c);\n"
    "    if (kSwizzle) at ^= (at * int(sizeof(T)) >> 7 & kSwizzle / 16 - 1) * kPiece;\n"
    "    struct alignas(2 * sizeof(T)) Pair { T first, second; };\n"
    "    *reinterpret_cast<Pair*>(to + at) = odd ? Pair{d[m], d[m + 1]} : Pair{d[n], d[n + 1]};\n"
    "  }\n"
    "}\n";

// How a product's text names the registers of a sum, and binds them to its elements: the lists for few registers are
// beginnings of the lists for more, so that these are written once for all products.
class Registers {
 public:
  // `constraint`: of a register in inline assembly.
  explicit Registers(char constraint) {
    for (int i = 0; i < kMost; ++i) {
      const bool starts = i % kALine == 0;
      names_ += fmt::format("{}{}%{}", i ? ", " : "", starts && i ? "\"\n      \"" : "", i);
      operands_ += fmt::format("{}{}\"+{}\"(d[{}])", i ? "," : "", starts ? "\n        " : " ", constraint, i);
      ends_[std::size_t(i)] = {names_.size(), operands_.size()};
    }
  }
  // Returns the names of the first `count` registers, from 1 to kMost.
  std::string_view names(int count) const {
    return std::string_view(names_).substr(0, ends_[std::size_t(count - 1)].first);
  }
  std::string_view operands(int count) const {
    return std::string_view(operands_).substr(0, ends_[std::size_t(count - 1)].second);
  }

 private:
  static constexpr int kALine = 16, kMost = 128;  // a sum of 64 x 256 elements
  std::string names_, operands_;
  std::array<std::pair<std::size_t, std::size_t>, kMost> ends_{};
};

const Registers& registersOf(char constraint) {
  static const Registers floats('f'), integers('r');
  return constraint == 'f' ? floats : integers;
}

}  // namespace

std::string_view wgmmaStoreColumnsText() { return kStoreColumns; }
std::string_view wgmmaFillText() { return kFill; }
std::string_view wgmmaStoreText() { return kStore; }

std::string wgmmaFunction(const WgmmaText& t) {
  return fmt::format("wgmma_m{}n{}k{}_{}_{}{}", t.tile.m, t.tile.n, t.tile.k, t.sum, t.factors,
                     t.turnsA ? "_turned" : "");
}

std::string wgmmaProductText(const WgmmaText& t) {
  const int registers = t.tile.m * t.tile.n / 128;  // of a thread: 4 warps of 32
  const Registers& all = registersOf(t.constraint);
  std::string text = fmt::format("// d += a · b, of a warpgroup: {} registers of each thread.\n", registers);
  if (t.transposes) text += "template <int kRowsOfB>\n";
  text += fmt::format(
      "__device__ __forceinline__ void {}({} (&d)[{}], unsigned long long a, unsigned long long b) {{\n"
      "  asm volatile(\n"
      "      \"{{\\n.reg .pred adds;\\nsetp.ne.b32 adds, 1, 0;\\n\"\n"
      "      \"wgmma.mma_async.sync.aligned.m{}n{}k{}.{}.{}.{} {{\"\n"
      "      \"{}\"\n"
      "      \"}}, %{}, %{}, adds{}{};\\n}}\"\n"
      "      :{}\n"
      "      : \"l\"(a), \"l\"(b){});\n"
      "}}\n",
      wgmmaFunction(t), t.type, registers, t.tile.m, t.tile.n, t.tile.k, t.sum, t.factors, t.factors,
      all.names(registers), registers, registers + 1, t.scales ? ", 1, 1" : "",
      t.transposes ? fmt::format(", {}, %{}", t.turnsA ? 1 : 0, registers + 2) : "", all.operands(registers),
      t.transposes ? ", \"n\"(kRowsOfB)" : "");
  return text;
}

}  // namespace loom::device
