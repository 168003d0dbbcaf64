#include "app/workbench/matmul_function.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <tuple>

namespace loom::workbench {

Result<std::string> matmulFunction(const MatmulRequest& r) {
  constexpr std::int64_t kMost = 2147483647;
  for (auto [name, value] : {std::pair{"M", r.m}, {"N", r.n}, {"K", r.k}}) {
    if (value < 1 || value > kMost) {
      return fail("ValueError", fmt::format("{} = {} is not between 1 and {}", name, value, kMost), Forbids::Input);
    }
  }
  // Kernels index with 32 bits, as TVM's do.
  for (auto [name, rows, columns] : {std::tuple{"X", r.m, r.k}, {"Y", r.n, r.k}, {"Z", r.m, r.n}}) {
    if (rows > kMost / columns) {
      return fail("ValueError",
                  fmt::format("{} has {} elements; a buffer holds at most {}", name, rows * columns, kMost),
                  Forbids::Input);
    }
  }
  constexpr std::array<std::string_view, 6> kDtypes = {"float16", "bfloat16", "float32", "float64", "int8", "int32"};
  for (const std::string& dtype : {r.input, r.output}) {
    if (std::find(kDtypes.begin(), kDtypes.end(), dtype) == kDtypes.end()) {
      return fail("ValueError", fmt::format("\"{}\" is no dtype of a matrix product here", dtype), Forbids::Input);
    }
  }
  auto operand = [&](const char* element) {
    return r.input == r.output ? std::string(element) : fmt::format("T.Cast(\"{}\", {})", r.output, element);
  };
  auto shape = [](std::int64_t rows, std::int64_t columns) { return fmt::format("({}, {})", rows, columns); };
  const std::string x = r.transposeX ? shape(r.k, r.m) : shape(r.m, r.k);
  const std::string y = r.transposeY ? shape(r.n, r.k) : shape(r.k, r.n);
  std::string text = "from tvm.script import tir as T\n\n\n@T.prim_func\n";
  text += fmt::format("def main(X: T.Buffer({}, \"{}\"), Y: T.Buffer({}, \"{}\"), Z: T.Buffer({}, \"{}\")):\n", x,
                      r.input, y, r.input, shape(r.m, r.n), r.output);
  text += fmt::format("    for i, j, k in T.grid({}, {}, {}):\n", r.m, r.n, r.k);
  text += "        with T.block(\"Z\"):\n            vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n";
  text += "            with T.init():\n";
  text += fmt::format("                Z[vi, vj] = T.{}(0)\n", r.output);
  text +=
      fmt::format("            Z[vi, vj] = Z[vi, vj] + {} * {}\n", operand(r.transposeX ? "X[vk, vi]" : "X[vi, vk]"),
                  operand(r.transposeY ? "Y[vj, vk]" : "Y[vk, vj]"));
  return text;
}

Result<std::int64_t> readSize(const std::string& name, const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) {
    return fail("ValueError", fmt::format("{} is empty: write a whole number", name), Forbids::Input);
  }
  const std::size_t last = text.find_last_not_of(' ');
  std::int64_t value = 0;
  const auto read = std::from_chars(text.data() + first, text.data() + last + 1, value);
  if (read.ec == std::errc::result_out_of_range && read.ptr == text.data() + last + 1) {
    return fail("ValueError", fmt::format("{} is more than {} can be", text, name), Forbids::Input);
  }
  if (read.ec != std::errc() || read.ptr != text.data() + last + 1) {
    return fail("ValueError", fmt::format("\"{}\" is no whole number for {}", text, name), Forbids::Input);
  }
  return value;
}

}  // namespace loom::workbench
