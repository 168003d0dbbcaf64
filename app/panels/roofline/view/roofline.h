#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/performance/view/performance.h"

namespace loom::session {

/// The data that a roofline is made from: the states that have a time and a model, and the device.
struct RooflineInput {
  struct State {
    int node = 0;              ///< of the history
    double microseconds = 0;   ///< measured, or predicted
    bool isPredicted = false;  ///< what the model predicts for its device: what was measured is another device's
    double flops = 0;          ///< that the kernel does, repeated ones too
    /// Bytes over each link, by `Traffic`: of the machine code, and as written. 0 where they are not known.
    std::array<model::Number, kTraffics> compiled, written;
  };
  std::vector<State> states;              ///< in any order
  std::vector<double> measured;           ///< µs of all states that were measured, also of those without a model yet
  std::optional<gpu::Matmul> matmul;      ///< the product that the function computes; none: it computes something else
  const model::Device* device = nullptr;  ///< whose ceilings are drawn; null: it is not known
  double vendorMicroseconds = 0;          ///< of the vendor's library on that device; 0: not known
  bool isCompiled = false;                ///< bytes are those of the machine code, else those of the program as written
};

/// The roof that a state comes closest to.
struct NearestRoof {
  const Ceiling* ceiling = nullptr;
  double tflops = 0;  ///< that it allows, on the multiprocessors that have blocks
  double share = 0;   ///< of these that the state reaches
};

/// A roofline: throughput over arithmetic intensity, with the ceilings of a device and a point for each state.
struct RooflineView {
  struct Point {
    int node = 0;
    double tflops = 0;                           ///< above 0
    bool isPredicted = false;                    ///< as `RooflineInput::State`
    std::array<model::Number, kTraffics> bytes;  ///< over each link, by `Traffic`; 0: not known

    bool has(Traffic link) const { return bytes[std::size_t(link)].value > 0; }
  };
  std::vector<Point> points;  ///< ascending by node
  std::vector<Ceiling> ceilings;
  double flops = 0;   ///< that every state is held to; 0: nothing is known of any
  double vendor = 0;  ///< TFLOP/s of the vendor's library; 0: not known

  /// Where the axes begin and end, as powers of ten: FLOP/B and TFLOP/s. They hold every state and every link, whatever
  /// is chosen of them and however many states the model has seen yet: points move, the axes do not.
  double lowX = 0, highX = 1, lowY = 0, highY = 1;

  /// Makes the view. Of a function that is no product, the state that does the most arithmetic says how much there is.
  static RooflineView of(const RooflineInput& input);

  /// Returns the point of a state; null: it has none.
  const Point* find(int node) const;
  /// Returns FLOP per byte over a link. Requires `point.has(link)`.
  double intensity(const Point& point, Traffic link) const;
  /// Returns whether a point is faster than a link allows for the bytes that are counted.
  bool isAbove(const Point& point, Traffic link) const;
  /// Returns the highest peak of arithmetic, TFLOP/s; 0: none is known.
  double highestPeak() const;
  /// Returns the intensity at which a link's diagonal meets `tflops`; 0 where its rate is not known.
  double ridge(Traffic link, double tflops) const;
  /// Returns where the axis of TFLOP/s begins, a power of ten, so that `tflops`, what is predicted for a preview, has
  /// a place on it, too. 0 stands for no preview.
  double lowestWith(double tflops) const;
  /// Returns which of all ceilings that hold for it a point is closest to, whichever link is chosen. `kernel` is the
  /// performance of its state; none where nothing that holds is known.
  std::optional<NearestRoof> nearestRoof(const Point& point, const PerformanceView& kernel) const;
};

}  // namespace loom::session
