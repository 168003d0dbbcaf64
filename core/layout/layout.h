// Layouts as values: (thread, register) → coordinate → byte offset. A layout is a chain of stages, each a map of digits
//   output[d] = base[d] + Σ (input[source] / divisor % extent) · stride      over the digits that go to d
// or an xor of address bits. Chains compose by joining; a stage that is one to one has an inverse, and so has a chain
// of such stages. Nothing here knows what a thread or a byte is: the names of the dimensions say it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/ir/result.h"

namespace loom::layout {

using Point = std::vector<std::int64_t>;

struct Dimension {
  std::string name;
  std::int64_t extent = 1;
  friend bool operator==(const Dimension&, const Dimension&) = default;
};

// (input[source] / divisor % extent) · stride is added to output[target].
struct Digit {
  int source = 0;
  std::int64_t divisor = 1, extent = 1;
  int target = 0;
  std::int64_t stride = 1;
  friend bool operator==(const Digit&, const Digit&) = default;
};

struct DigitStage {
  std::vector<Digit> digits;
  Point base;  // by output; empty means zeros
  std::vector<Dimension> outputs;
  friend bool operator==(const DigitStage&, const DigitStage&) = default;
};

// offset ^= ((offset >> (base + shift)) & (2^bits − 1)) << base, on the first dimension. CUTLASS writes it
// Swizzle<bits, base, shift>. Its own inverse when shift ≥ bits.
struct XorStage {
  int bits = 0, base = 0, shift = 0;
  friend bool operator==(const XorStage&, const XorStage&) = default;
};

using Stage = std::variant<DigitStage, XorStage>;

class Layout {
 public:
  // The identity on these dimensions.
  explicit Layout(std::vector<Dimension> inputs);
  // A layout that exists but that nobody may know: `why` says who leaves it open. Applying or inverting it is an error.
  static Layout undefined(std::vector<Dimension> inputs, std::vector<Dimension> outputs, Message why);

  const std::vector<Dimension>& inputs() const { return inputs_; }
  const std::vector<Dimension>& outputs() const { return outputs_; }
  const std::vector<Stage>& stages() const { return stages_; }
  bool isDefined() const { return why_.empty(); }
  const Message& whyUndefined() const { return why_; }
  std::int64_t size() const;  // points of the input

  // Errors: "LayoutError" for a digit without its dimension, an extent, divisor or stride that isn't positive
  // (strides may be zero or negative), an xor that overlaps itself or leaves the extent.
  Result<Layout> then(Stage stage) const;
  // next ∘ this. Error "LayoutError" when the extents of this one's outputs aren't those of next's inputs.
  Result<Layout> then(const Layout& next) const;

  // Errors: "LayoutError" outside the inputs' extents, "LayoutUndefined".
  Result<Point> apply(const Point& point) const;
  // Error "NotInvertible" with the reason: two points meet, or no point reaches an output.
  Result<Layout> inverse() const;
  // All inputs that go to `output`, in row-major order; by looking at every input.
  Result<std::vector<Point>> preimages(const Point& output) const;

  // "(lane:32, register:4) → (row:16, column:8): row = lane / 4 + register / 2 · 8, column = …"
  std::string text() const;
  // {"inputs": [["lane", 32], …], "outputs": […], "stages": [{"digits": [[source, divisor, extent, target, stride],
  // …]},
  // {"xor": [bits, base, shift]}]}, or with "undefined": the reason.
  std::string json() const;

  friend bool operator==(const Layout&, const Layout&) = default;

 private:
  std::vector<Dimension> inputs_, outputs_;
  std::vector<Stage> stages_;
  Message why_;
};

// (coordinates) → (name:extent): an offset in units of an element. `strides` in elements; `extent` is how much is
// allocated, so that a pitch larger than a row leaves holes.
Result<Layout> strided(std::vector<Dimension> shape, const std::vector<std::int64_t>& strides, std::int64_t extent,
                       const std::string& name = "element");
// Compact, the last dimension fastest.
Layout rowMajor(std::vector<Dimension> shape, const std::string& name = "element");
// rows × columns with `pitch` elements from row to row. Error "LayoutError" when pitch < columns.
Result<Layout> padded(std::int64_t rows, std::int64_t columns, std::int64_t pitch);
// element → byte: (element:n) → (byte:n · bytes), the first byte of each.
Result<Layout> inBytes(std::int64_t elements, std::int64_t bytesEach);

// The point with this number in row-major order.
Point pointAt(const std::vector<Dimension>& dimensions, std::int64_t index);

}  // namespace loom::layout
