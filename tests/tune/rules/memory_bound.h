// Small programs whose time memory bounds: sums, maxima and the like over windows (stencils, depthwise convolutions,
// pooling), and programs that read along another axis than they write (transposes).
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

namespace loom::tune {

/// A program with the block C, and perhaps one before or after it, and the sketch (schedule with open decisions) that
/// rules for memory-bound programs should make of it.
struct MemoryBound {
  const char* name;
  const char* sketch;  ///< name of that sketch; "": rules for memory-bound programs should make none
  std::string text;    ///< the program as TVMScript
};

// Returns a TVMScript function `main` with these parameters and this indented body.
inline std::string function(const std::string& parameters, const std::string& body) {
  return fmt::format(R"(from tvm.script import tir as T


@T.prim_func
def main({}):
{})",
                     parameters, body);
}

// Returns the TVMScript of a loop nest around one block, which stores `value` to `element`. `iterators`, single
// letters, are the block's iterators ("n, h"), `extents` their extents ("2, 3") and `kinds` S for a spatial and R for a
// reduction axis each ("SS"). `init` is the element's initial value in a reduction; empty: the block has no T.init.
inline std::string nest(const std::string& block, const std::string& iterators, const std::string& extents,
                        const std::string& kinds, const std::string& element, const std::string& init,
                        const std::string& value) {
  std::string loops, text;
  for (std::size_t at = 0; at < iterators.size(); ++at)
    loops += iterators[at] == ' ' || iterators[at] == ',' ? std::string(1, iterators[at])
                                                          : fmt::format("l{}", iterators[at]);
  text = fmt::format("    for {} in T.grid({}):\n        with T.block(\"{}\"):\n", loops, extents, block);
  text += fmt::format("            {} = T.axis.remap(\"{}\", [{}])\n", iterators, kinds, loops);
  if (!init.empty()) text += fmt::format("            with T.init():\n                {} = {}\n", element, init);
  return text + fmt::format("            {} = {}\n", element, value);
}

// Returns all programs.
inline std::vector<MemoryBound> memoryBoundPrograms() {
  const char* near = "neighbouring results";
  const char* turned = "turned tiles";
  return {
      {"stencil", near,
       function(R"(X: T.Buffer((34, 66), "float32"), W: T.Buffer((3, 3), "float32"), C: T.Buffer((32, 64), "float32"))",
                nest("C", "i, j, r, s", "32, 64, 3, 3", "SSRR", "C[i, j]", "T.float32(0)",
                     "C[i, j] + X[i + r, j + s] * W[r, s]"))},
      {"odd rows in bytes", near,
       function(R"(X: T.Buffer((3, 29, 37), "int8"), C: T.Buffer((3, 27, 35), "int8"))",
                nest("C", "n, i, j, r, s", "3, 27, 35, 3, 3", "SSSRR", "C[n, i, j]", "T.int8(-128)",
                     "T.max(C[n, i, j], X[n, i + r, j + s])"))},
      {"depthwise, channels last, half", near,
       function(
           R"(X: T.Buffer((2, 12, 14, 24), "float16"), W: T.Buffer((3, 3, 24), "float16"), C: T.Buffer((2, 10, 12, 24), "float32"))",
           nest("C", "n, h, w, c, r, s", "2, 10, 12, 24, 3, 3", "SSSSRR", "C[n, h, w, c]", "T.float32(0)",
                R"(C[n, h, w, c] + T.Cast("float32", X[n, h + r, w + s, c]) * T.Cast("float32", W[r, s, c]))"))},
      {"dilated, strided", near,
       function(
           R"(X: T.Buffer((2, 4, 36, 40), "float32"), W: T.Buffer((4, 3, 3), "float32"), C: T.Buffer((2, 4, 14, 16), "float32"))",
           nest("C", "n, c, h, w, r, s", "2, 4, 14, 16, 3, 3", "SSSSRR", "C[n, c, h, w]", "T.float32(0)",
                "C[n, c, h, w] + X[n, c, h * 2 + r * 4, w * 2 + s * 4] * W[c, r, s]"))},
      {"padded", near,
       function(
           R"(X: T.Buffer((2, 14, 14, 16), "float16"), C: T.Buffer((2, 14, 14, 16), "float16"))",
           "    P = T.alloc_buffer((2, 16, 16, 16), \"float16\")\n" +
               nest("P", "n, h, w, c", "2, 16, 16, 16", "SSSS", "P[n, h, w, c]", "",
                    "T.if_then_else(1 <= h and h < 15 and 1 <= w and w < 15, X[n, h - 1, w - 1, c], T.float16(-100))") +
               nest("C", "n, h, w, c, r, s", "2, 14, 14, 16, 3, 3", "SSSSRR", "C[n, h, w, c]", "T.float16(-100)",
                    "T.max(C[n, h, w, c], P[n, h + r, w + s, c])"))},
      {"padded along rows", near,
       function(
           R"(X: T.Buffer((3, 20, 20), "float32"), W: T.Buffer((5, 5), "float32"), C: T.Buffer((3, 20, 20), "float32"))",
           "    P = T.alloc_buffer((3, 24, 24))\n" +
               nest("P", "n, h, w", "3, 24, 24", "SSS", "P[n, h, w]", "",
                    "T.if_then_else(2 <= h and h < 22 and 2 <= w and w < 22, X[n, h - 2, w - 2], T.float32(0))") +
               nest("C", "n, h, w, r, s", "3, 20, 20, 5, 5", "SSSRR", "C[n, h, w]", "T.float32(0)",
                    "C[n, h, w] + P[n, h + r, w + s] * W[r, s]"))},
      {"mean of windows", near,
       function(R"(X: T.Buffer((3, 16, 24), "float16"), C: T.Buffer((3, 8, 12), "float16"))",
                "    S = T.alloc_buffer((3, 8, 12))\n" +
                    nest("S", "n, h, w, r, s", "3, 8, 12, 2, 2", "SSSRR", "S[n, h, w]", "T.float32(0)",
                         R"(S[n, h, w] + T.Cast("float32", X[n, h * 2 + r, w * 2 + s]))") +
                    nest("C", "n, h, w", "3, 8, 12", "SSS", "C[n, h, w]", "",
                         R"(T.Cast("float16", S[n, h, w] * T.float32(0.25)))"))},
      {"a long window", near,
       function(R"(X: T.Buffer((1048,), "float32"), W: T.Buffer((25,), "float32"), C: T.Buffer((1024,), "float32"))",
                nest("C", "i, r", "1024, 25", "SR", "C[i]", "T.float32(0)", "C[i] + X[i + r] * W[r]"))},
      {"three axes", near,
       function(
           R"(X: T.Buffer((10, 12, 18), "float32"), W: T.Buffer((3, 3, 3), "float32"), C: T.Buffer((8, 10, 16), "float32"))",
           nest("C", "d, h, w, q, r, s", "8, 10, 16, 3, 3, 3", "SSSRRR", "C[d, h, w]", "T.float32(0)",
                "C[d, h, w] + X[d + q, h + r, w + s] * W[q, r, s]"))},
      {"no sum, but neighbours", near,
       function(R"(X: T.Buffer((34, 66), "float32"), C: T.Buffer((32, 64), "float32"))",
                nest("C", "i, j", "32, 64", "SS", "C[i, j]", "",
                     "X[i, j + 1] + X[i + 2, j + 1] - X[i + 1, j] * X[i + 1, j + 2]"))},
      {"borders by a condition", near,
       function(R"(X: T.Buffer((40, 48), "float32"), C: T.Buffer((40, 48), "float32"))",
                nest("C", "i, j", "40, 48", "SS", "C[i, j]", "",
                     "T.if_then_else(1 <= i and i < 39 and 1 <= j, X[i - 1, j - 1] + X[i + 1, j], X[i, j])"))},
      {"sums of rows and of planes", near,
       function(R"(X: T.Buffer((5, 30, 16), "float32"), C: T.Buffer((30,), "float32"))",
                nest("C", "i, r, s", "30, 5, 8", "SRR", "C[i]", "T.float32(0)", "C[i] + X[r, i, s]"))},
      {"transposed", turned,
       function(R"(X: T.Buffer((72, 40), "float32"), C: T.Buffer((40, 72), "float32"))",
                nest("C", "i, j", "40, 72", "SS", "C[i, j]", "", "X[j, i]"))},
      {"transposed, odd, half", turned,
       function(R"(X: T.Buffer((61, 37), "float16"), C: T.Buffer((37, 61), "float16"))",
                nest("C", "i, j", "37, 61", "SS", "C[i, j]", "", "X[j, i] * T.float16(2)"))},
      {"transposed bytes", turned,
       function(R"(X: T.Buffer((64, 72), "int8"), C: T.Buffer((72, 64), "int8"))",
                nest("C", "i, j", "72, 64", "SS", "C[i, j]", "", "X[j, i]"))},
      {"channels to the end", turned,
       function(R"(X: T.Buffer((2, 24, 6, 10), "float16"), C: T.Buffer((2, 6, 10, 24), "float16"))",
                nest("C", "n, h, w, c", "2, 6, 10, 24", "SSSS", "C[n, h, w, c]", "", "X[n, c, h, w]"))},
      {"three channels to the front", turned,
       function(R"(X: T.Buffer((2, 12, 16, 3), "float32"), C: T.Buffer((2, 3, 12, 16), "float32"))",
                nest("C", "n, c, h, w", "2, 3, 12, 16", "SSSS", "C[n, c, h, w]", "", "X[n, h, w, c]"))},
      {"a sum with its transpose", turned,
       function(
           R"(A: T.Buffer((48, 48), "float32"), B: T.Buffer((48, 48), "float32"), D: T.Buffer((48,), "float32"), C: T.Buffer((48, 48), "float32"))",
           nest("C", "i, j", "48, 48", "SS", "C[i, j]", "", "A[i, j] + B[j, i] + D[j]"))},
      {"heads", turned,
       function(R"(X: T.Buffer((2, 40, 3, 16), "float16"), C: T.Buffer((2, 3, 16, 40), "float16"))",
                nest("C", "b, h, d, s", "2, 3, 16, 40", "SSSS", "C[b, h, d, s]", "", "X[b, s, h, d]"))},
      {"axes of one element", turned,
       function(R"(X: T.Buffer((1, 40, 1, 24), "float32"), C: T.Buffer((24, 1, 40, 1), "float32"))",
                nest("C", "i, u, j, v", "24, 1, 40, 1", "SSSS", "C[i, u, j, v]", "", "X[u, j, v, i]"))},
      {"both turned", turned,
       function(
           R"(A: T.Buffer((30, 4, 20), "float16"), B: T.Buffer((30, 4, 20), "float16"), C: T.Buffer((4, 20, 30), "float32"))",
           nest("C", "b, i, j", "4, 20, 30", "SSS", "C[b, i, j]", "",
                R"(T.Cast("float32", A[j, b, i]) - T.Cast("float32", B[j, b, i]))"))},
      {"a row", "",
       function(R"(X: T.Buffer((64, 72), "float32"), b: T.Buffer((72,), "float32"), C: T.Buffer((64, 72), "float32"))",
                nest("C", "i, j", "64, 72", "SS", "C[i, j]", "", "X[i, j] + b[j]"))},
      {"beyond its rows", "",
       function(R"(X: T.Buffer((30, 30), "float32"), C: T.Buffer((32, 32), "float32"))",
                nest("C", "i, j", "32, 32", "SS", "C[i, j]", "",
                     "T.if_then_else(i < 30 and j < 30, X[j, i], T.float32(0))"))},
      {"where another one says", "",
       function(R"(X: T.Buffer((64, 8), "float32"), I: T.Buffer((32,), "int32"), C: T.Buffer((32,), "float32"))",
                nest("C", "i, r", "32, 8", "SR", "C[i]", "T.float32(0)", "C[i] + X[I[i], r]"))},
      {"long rows", "",
       function(R"(X: T.Buffer((64, 300), "float32"), C: T.Buffer((64,), "float32"))",
                nest("C", "i, r", "64, 300", "SR", "C[i]", "T.float32(0)", "C[i] + X[i, r]"))},
      {"two filters a channel", near,
       function(
           R"(X: T.Buffer((3, 18, 34), "float32"), W: T.Buffer((6, 3, 3), "float32"), C: T.Buffer((6, 16, 32), "float32"))",
           nest("C", "c, h, w, r, s", "6, 16, 32, 3, 3", "SSSRR", "C[c, h, w]", "T.float32(0)",
                "C[c, h, w] + X[c // 2, h + r, w + s] * W[c, r, s]"))}};
}

}  // namespace loom::tune
