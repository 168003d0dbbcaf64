#include "core/document/matmul_function.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <tuple>

namespace loom::document {

std::span<const char* const> matmulInputs() {
  static constexpr std::array<const char*, 10> kInputs = {"float16", "bfloat16", "float32", "float64", "int8",
                                                          "uint8",   "int32",    "int4",    "uint4",   "uint1"};
  return kInputs;
}
std::span<const char* const> matmulOutputs() {
  static constexpr std::array<const char*, 6> kOutputs = {"float16", "bfloat16", "float32", "float64", "int8", "int32"};
  return kOutputs;
}

Result<std::string> matmulFunction(const MatmulRequest& r) {
  constexpr std::int64_t kMost = 2147483647;
  constexpr std::array<const char*, 3> kNames = {"M", "N", "K"};
  std::array<std::vector<std::int64_t>, 3> values = {{{r.m}, {r.n}, {r.k}}};
  for (std::size_t i = 0; i < 3; ++i) {
    values[i].insert(values[i].end(), r.several[i].begin(), r.several[i].end());
    for (std::int64_t value : values[i]) {
      if (value >= 1 && value <= kMost) continue;
      return fail("ValueError", message("{} = {} is not between {} and {}", kNames[i], value, 1, kMost),
                  Forbids::Input);
    }
  }
  const auto largest = [&](std::size_t i) { return *std::max_element(values[i].begin(), values[i].end()); };
  const std::int64_t m = largest(0), n = largest(1), k = largest(2);
  // Kernels index with 32 bits, as TVM's do.
  for (auto [name, rows, columns] : {std::tuple{"X", m, k}, {"Y", n, k}, {"Z", m, n}}) {
    if (rows > kMost / columns) {
      return fail("ValueError", message("{} has {} elements; a buffer holds at most {}", name, rows * columns, kMost),
                  Forbids::Input);
    }
  }
  for (const auto& [dtype, known] : {std::pair{r.input, matmulInputs()}, {r.output, matmulOutputs()}}) {
    if (std::ranges::find(known, std::string_view(dtype)) == known.end()) {
      return fail("ValueError", message("\"{}\" is no dtype of a matrix product here", dtype), Forbids::Input);
    }
  }
  auto operand = [&](const char* element) {
    return r.input == r.output ? std::string(element) : fmt::format("T.Cast(\"{}\", {})", r.output, element);
  };
  // M, N and K as the text has them.
  std::array<std::string, 3> size = {std::to_string(r.m), std::to_string(r.n), std::to_string(r.k)};
  std::string symbols;
  for (std::size_t i = 0; i < 3; ++i) {
    if (r.several[i].empty()) continue;
    size[i] = kNames[i];
    symbols += fmt::format("    {} = T.int32()\n", kNames[i]);
  }
  auto shape = [](const std::string& rows, const std::string& columns) {
    return fmt::format("({}, {})", rows, columns);
  };
  const std::string x = r.transposeX ? shape(size[2], size[0]) : shape(size[0], size[2]);
  const std::string y = r.transposeY ? shape(size[1], size[2]) : shape(size[2], size[1]);
  const std::string z = shape(size[0], size[1]);
  std::string text = "from tvm.script import tir as T\n\n\n@T.prim_func\n";
  if (symbols.empty()) {
    text += fmt::format("def main(X: T.Buffer({}, \"{}\"), Y: T.Buffer({}, \"{}\"), Z: T.Buffer({}, \"{}\")):\n", x,
                        r.input, y, r.input, z, r.output);
  } else {
    text += "def main(x: T.handle, y: T.handle, z: T.handle):\n" + symbols;
    for (const auto& [name, handle, shaped, type] :
         {std::tuple{"X", "x", x, r.input}, {"Y", "y", y, r.input}, {"Z", "z", z, r.output}})
      text += fmt::format("    {} = T.match_buffer({}, {}, \"{}\")\n", name, handle, shaped, type);
  }
  text += fmt::format("    for i, j, k in T.grid({}, {}, {}):\n", size[0], size[1], size[2]);
  text += "        with T.block(\"Z\"):\n            vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n";
  text += "            with T.init():\n";
  text += fmt::format("                Z[vi, vj] = T.{}(0)\n", r.output);
  text +=
      fmt::format("            Z[vi, vj] = Z[vi, vj] + {} * {}\n", operand(r.transposeX ? "X[vk, vi]" : "X[vi, vk]"),
                  operand(r.transposeY ? "Y[vj, vk]" : "Y[vk, vj]"));
  return text;
}

std::string matmulSizes(const MatmulRequest& r) {
  std::string text;
  for (std::size_t i = 0; i < 3; ++i) {
    if (r.several[i].empty()) continue;
    text += fmt::format("{}{} = {}", text.empty() ? "" : "; ", "MNK"[i], fmt::join(r.several[i], ", "));
  }
  return text;
}

Result<std::vector<std::int64_t>> readSizes(const std::string& name, const std::string& text) {
  std::vector<std::int64_t> all;
  std::size_t at = 0;
  while (true) {
    const std::size_t comma = text.find(',', at);
    auto one = readSize(name, text.substr(at, comma == std::string::npos ? comma : comma - at));
    if (!one) return Failure(one.error());
    all.push_back(*one);
    if (comma == std::string::npos) return all;
    at = comma + 1;
  }
}

Result<std::int64_t> readSize(const std::string& name, const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) {
    return fail("ValueError", message("{} is empty: write a whole number", name), Forbids::Input);
  }
  const std::size_t last = text.find_last_not_of(' ');
  std::int64_t value = 0;
  const auto read = std::from_chars(text.data() + first, text.data() + last + 1, value);
  if (read.ec == std::errc::result_out_of_range && read.ptr == text.data() + last + 1) {
    return fail("ValueError", message("{} is more than {} can be", text, name), Forbids::Input);
  }
  if (read.ec != std::errc() || read.ptr != text.data() + last + 1) {
    return fail("ValueError", message("\"{}\" is no whole number for {}", text, name), Forbids::Input);
  }
  return value;
}

}  // namespace loom::document
