// Layouts of data, as from (thread, register) to a coordinate of a tile, or from a coordinate to a byte offset. A
// layout is a chain of stages. Each stage is a sum of digits of its inputs
//   output[d] = base[d] + Σ (input[source] / divisor % extent) · stride      over the digits that go to d
// or an xor of address bits. Layouts are composed by appending the stages of one to those of another; a chain has an
// inverse if every stage is one to one. Only the names of the dimensions say whether a number is a thread, a row or a
// byte.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/ir/result.h"

namespace loom::layout {

// A coordinate along each dimension of a layout's inputs or outputs.
using Point = std::vector<std::int64_t>;

// A named dimension of a layout's inputs or outputs.
struct Dimension {
  std::string name;
  std::int64_t extent = 1;
  friend bool operator==(const Dimension&, const Dimension&) = default;
};

// One digit of an input: (input[source] / divisor % extent) · stride is added to output[target]. `source` and `target`
// are indices of dimensions.
struct Digit {
  int source = 0;
  std::int64_t divisor = 1, extent = 1;
  int target = 0;
  std::int64_t stride = 1;
  friend bool operator==(const Digit&, const Digit&) = default;
};

// A stage of a layout that is a sum of digits: each digit of an input adds a multiple of itself to an output.
struct DigitStage {
  std::vector<Digit> digits;
  Point base;  // by output; empty means zeros
  std::vector<Dimension> outputs;
  friend bool operator==(const DigitStage&, const DigitStage&) = default;
};

// A stage that sets offset ^= ((offset >> (base + shift)) & (2^bits − 1)) << base, where `offset` is the coordinate
// along the only dimension at that stage. CUTLASS writes it Swizzle<bits, base, shift>. It must have shift ≥ bits, so
// that it is its own inverse.
struct XorStage {
  int bits = 0, base = 0, shift = 0;
  friend bool operator==(const XorStage&, const XorStage&) = default;
};

using Stage = std::variant<DigitStage, XorStage>;

// A map from points to points, such as from (lane, register) to the row and column of a tile. Stages are applied one
// after the other.
class Layout {
 public:
  // Makes the identity on these dimensions.
  explicit Layout(std::vector<Dimension> inputs);
  // Makes a layout whose stages aren't known, because no document gives them; `why`, not empty, says so in a sentence.
  // Applying it is the error "LayoutUndefined", inverting it the error "NotInvertible".
  static Layout undefined(std::vector<Dimension> inputs, std::vector<Dimension> outputs, Message why);

  const std::vector<Dimension>& inputs() const { return inputs_; }
  const std::vector<Dimension>& outputs() const { return outputs_; }
  const std::vector<Stage>& stages() const { return stages_; }
  bool isDefined() const { return why_.empty(); }
  // Returns why the layout is undefined; empty if it is defined.
  const Message& whyUndefined() const { return why_; }
  std::int64_t size() const;  // returns the number of points of the inputs

  // Returns this layout followed by a stage; undefined if this is. Errors "LayoutError": a digit without its dimension;
  // an extent or divisor that isn't positive (strides may be zero or negative); a `base` with another number of
  // coordinates than the outputs; an xor that overlaps itself, leaves the extent or meets more than one dimension.
  Result<Layout> then(Stage stage) const;
  // Returns the composition next ∘ this; undefined if either is. Error "LayoutError" if the extents of this
  // layout's outputs aren't those of the inputs of `next`, in order; names may differ.
  Result<Layout> then(const Layout& next) const;

  // Returns the output of a point, which may lie outside the extents of the outputs (`strided`). Errors: "LayoutError"
  // for a point with another number of coordinates than the inputs or outside their extents, "LayoutUndefined" for an
  // undefined layout.
  Result<Point> apply(const Point& point) const;
  // Returns the inverse. Error "NotInvertible", with the reason, for an undefined layout and if, in a stage, two points
  // are mapped to one, no point is mapped to some output, a `base` isn't 0, or the digits of an output don't count
  // through it (strides 1, e0, e0 · e1, … for extents e0, e1, …).
  Result<Layout> inverse() const;
  // Returns all points that are mapped to `output`, in row-major order; empty if there are none. Tries every point of
  // the inputs. Errors: "LayoutError" if `output` has another number of coordinates than the outputs, "LayoutUndefined"
  // for an undefined layout.
  Result<std::vector<Point>> preimages(const Point& output) const;

  // Returns the layout as text: "(lane:32, register:4) → (row:16, column:8): row = lane / 4 + register / 2 · 8, column
  // = …"; for an undefined layout with the reason in English in place of the sums.
  std::string text() const;
  // Returns the layout as JSON: {"inputs": [["lane", 32], …], "outputs": […], "stages": [{"digits": [[source, divisor,
  // extent, target, stride], …]}, {"xor": [bits, base, shift]}]}, or with "undefined": the reason. A stage of digits
  // whose base isn't all zeros has "base": [by output, …], too.
  std::string json() const;

  friend bool operator==(const Layout&, const Layout&) = default;

 private:
  std::vector<Dimension> inputs_, outputs_;
  std::vector<Stage> stages_;
  Message why_;
};

// Returns the layout (coordinates) → (name:extent) of a strided buffer. The output and `strides` are in elements.
// `extent` is the number of allocated elements: a pitch longer than a row leaves elements that no coordinates reach.
// Error "LayoutError" unless there is one stride for each dimension, all extents are positive, and every offset is less
// than `extent`; offsets below 0, from negative strides, aren't refused.
Result<Layout> strided(std::vector<Dimension> shape, const std::vector<std::int64_t>& strides, std::int64_t extent,
                       const std::string& name = "element");
// Returns the compact row-major layout: the last dimension is contiguous. All extents must be positive.
Layout rowMajor(std::vector<Dimension> shape, const std::string& name = "element");
// Returns the layout (row, column) → (element:rows · pitch) with `pitch` elements from one row to the next. Error
// "LayoutError" if pitch < columns, or if rows or columns aren't positive.
Result<Layout> padded(std::int64_t rows, std::int64_t columns, std::int64_t pitch);
// Returns the layout (element:n) → (byte:n · bytesEach) from an element to its first byte. Error "LayoutError" if
// either number isn't positive.
Result<Layout> inBytes(std::int64_t elements, std::int64_t bytesEach);

// Returns the point at position `index`, counted from 0 and less than the number of points, in row-major order.
Point pointAt(const std::vector<Dimension>& dimensions, std::int64_t index);

}  // namespace loom::layout
