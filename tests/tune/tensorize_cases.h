// Matrix products for tests of tensorization: of the four passes that together put a product on tensor cores
// (core/tune/tensorize).
#pragma once
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/model/device.h"
#include "core/tune/step_form.h"
#include "core/tune/tensorize/passes.h"
#include "tests/document/scheduled.h"
#include "tests/model/programs.h"

namespace loom::tune::tensorize_test {

// A test case: a product C = A · B, what the passes are requested to do, and a schedule to apply before. The members
// are parts of the function's TVMScript; by default, float16 operands stored by rows are added up in float32.
struct Source {
  std::string name;  // name of the case
  // Shapes of A, B and C, and the types of the operands and of C.
  std::string a = "32, 64", b = "64, 96", c = "32, 96", in = "float16", out = "float32";
  std::string at = "vi, vj";  // indices of the element of C that the block writes
  std::string value = "C[vi, vj] + T.float32(A[vi, vk]) * T.float32(B[vk, vj])";  // the value that it writes
  // Names and extents of the loops, the block's iterators, and their kinds: S spatial, R reduction.
  std::string loops = "i, j, k", extents = "32, 96, 64", iterators = "vi, vj, vk", kinds = "SSR";
  std::string init = "";  // the initial value; empty: zero
  TensorizeRequest request = {};
  std::string schedule = "";  // step lines; empty: none
  std::string program = "";   // the whole function, in place of the parts above; empty: it is made of them

  // Returns the function as TVMScript.
  std::string text() const {
    if (!program.empty()) return program;
    return tests::programText("any_product", {{"A", a},
                                              {"B", b},
                                              {"C", c},
                                              {"IN", in},
                                              {"OUT", out},
                                              {"LOOPS", loops},
                                              {"EXTENTS", extents},
                                              {"ITERATORS", iterators},
                                              {"KINDS", kinds},
                                              {"AT", at},
                                              {"INIT", init.empty() ? "T." + out + "(0)" : init},
                                              {"VALUE", value}});
  }
};
inline std::ostream& operator<<(std::ostream& out, const Source& source) { return out << source.name; }

// Returns the step lines of these chapters of the lesson "cuda_cores", one after another.
inline std::string lesson(std::initializer_list<const char*> chapters) {
  std::string lines;
  for (const char* chapter : chapters)
    lines += model::readText("assets/lessons/cuda_cores/steps/" + std::string(chapter) + ".sched.py");
  return lines;
}

// A case's program after its schedule, and the result of the passes for that state.
struct Asked {
  // Applies the schedule and runs the passes for `device`; null: for no device in particular. Throws std::runtime_error
  // if a step line can't be read or is refused.
  explicit Asked(const Source& source, const model::Device* device = nullptr)
      : target(*document::openFunction(source.text(), source.name)) {
    const auto applied = target.history.apply(0, source.schedule, document::environment());
    if (!applied || applied->refusal) throw std::runtime_error(applied ? applied->refusal->message.english() : "");
    node = applied->node;
    found = tensorization(target.history, node, document::environment(), device, source.request);
  }
  // Returns the program after the steps of all four passes, which must have succeeded.
  schedule::State after() const {
    return *previewLines(target.history, found.at, found.linesUpTo(4), document::environment());
  }
  // Returns the outcome of the first pass that failed; PassOutcome::Scaled if none did.
  PassOutcome outcome() const {
    for (int pass = 0; pass < 4; ++pass)
      if (!succeeded(found.report(pass).outcome)) return found.report(pass).outcome;
    return PassOutcome::Scaled;
  }
  document::Target target;  // the opened function with its history
  int node = 0;             // index of the state after the schedule
  Tensorization found;      // the result of the passes
};

// Returns the case with A, or B, or both stored transposed.
inline Source transposed(Source source, bool a, bool b) {
  if (a) source.a = "64, 32", source.value.replace(source.value.find("A[vi, vk]"), 9, "A[vk, vi]");
  if (b) source.b = "96, 64", source.value.replace(source.value.find("B[vk, vj]"), 9, "B[vj, vk]");
  source.name += a ? b ? "TransposedBoth" : "TransposedA" : b ? "TransposedB" : "";
  return source;
}
// Returns a case with a product of 128 × 128 × 32 and this schedule, given as step lines.
inline Source tiled(const std::string& name, const std::string& schedule) {
  return {.name = name,
          .a = "128, 32",
          .b = "32, 128",
          .c = "128, 128",
          .loops = "x, y, k",
          .extents = "128, 128, 32",
          .schedule = schedule};
}
// Returns a case with a product of size × size × size and the schedule tests/schedules/SCHEDULE.py.
inline Source square(const std::string& name, const char* schedule, int size = 64) {
  const std::string n = std::to_string(size), both = n + ", " + n;
  return {.name = name,
          .a = both,
          .b = both,
          .c = both,
          .extents = both + ", " + n,
          .schedule = tests::scheduleText(schedule)};
}
// Returns a case with a batch of 2 × 3 products of 32 × 16 × 32.
inline Source batched(std::string name) {
  return {.name = std::move(name),
          .a = "2, 3, 32, 32",
          .b = "2, 3, 32, 16",
          .c = "2, 3, 32, 16",
          .at = "vb, vh, vi, vj",
          .value = "C[vb, vh, vi, vj] + T.float32(A[vb, vh, vi, vk]) * T.float32(B[vb, vh, vk, vj])",
          .loops = "b, h, i, j, k",
          .extents = "2, 3, 32, 16, 32",
          .iterators = "vb, vh, vi, vj, vk",
          .kinds = "SSSSR"};
}
// Returns a case with a product of operands of type `in` and a sum of type `out`, which requests tensor core tiles of
// the shape `tile`; `schedule` is step lines.
inline Source ofTile(std::string name, std::string in, std::string out, device::ProductTile tile,
                     std::string schedule = "") {
  Source source{.name = std::move(name), .in = std::move(in), .out = out};
  const auto cast = [&](const std::string& load) { return source.in == out ? load : "T." + out + "(" + load + ")"; };
  source.value = "C[vi, vj] + " + cast("A[vi, vk]") + " * " + cast("B[vk, vj]");
  source.request.tile = tile;
  source.schedule = std::move(schedule);
  return source;
}
// Returns a case with a product of 1-bit integers, of type `in`, into int32. Both operands are stored along k, of which
// a tile of the tensor cores has 128.
inline Source ofBits(std::string name, std::string in) {
  return {.name = std::move(name),
          .a = "32, 256",
          .b = "64, 256",
          .c = "32, 64",
          .in = std::move(in),
          .out = "int32",
          .value = "C[vi, vj] + T.int32(A[vi, vk]) * T.int32(B[vj, vk])",
          .extents = "32, 64, 256"};
}
// Returns the case with float32 operands, which the request allows to be multiplied as tf32.
inline Source asTf32(Source source) {
  source.in = "float32";
  for (std::size_t at; (at = source.value.find("T.float32(")) != std::string::npos;)
    source.value.erase(source.value.find(')', at), 1).erase(at, 10);
  source.request.tf32 = true;
  return source;
}
// Shapes of the tiles of wmma.
inline constexpr device::ProductTile kSquare{16, 16, 16}, kTall{32, 8, 16}, kWide{8, 32, 16};
// Cases with a float16 sum; with int8 operands; with the second operand first in the product; with the sum first in the
// addition; with loops and iterators in another order; and with a request to exchange the operands.
inline const Source kHalves{.name = "HalfSum", .out = "float16", .value = "C[vi, vj] + A[vi, vk] * B[vk, vj]"};
inline const Source kBytes{
    .name = "Bytes", .in = "int8", .out = "int32", .value = "C[vi, vj] + T.int32(A[vi, vk]) * T.int32(B[vk, vj])"};
inline const Source kSecondFirst{.name = "SecondFirst",
                                 .value = "C[vi, vj] + T.float32(B[vk, vj]) * T.float32(A[vi, vk])"};
inline const Source kSumFirst{.name = "SumFirst", .value = "T.float32(A[vi, vk]) * T.float32(B[vk, vj]) + C[vi, vj]"};
inline const Source kAnotherOrder{
    .name = "AnotherOrder", .loops = "k, j, i", .extents = "64, 96, 32", .iterators = "vk, vj, vi", .kinds = "RSS"};
inline const Source kSwapped{.name = "Swapped", .request = {"", {}, true}};

}  // namespace loom::tune::tensorize_test
