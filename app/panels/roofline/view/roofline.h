#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/performance/view/performance.h"

namespace loom::session {

/// The data that a roofline is made from: the states (the program after some schedule steps) that have a time and a
/// model, and the device.
struct RooflineInput {
  /// A state with its time, its arithmetic and its bytes.
  struct State {
    int node = 0;             ///< index of the state in the history
    double microseconds = 0;  ///< measured or predicted time
    /// Whether the time is predicted, because there is none that was measured on `device`.
    bool isPredicted = false;
    double flops = 0;  ///< FLOP that the kernel executes, repeated work included
    /// Bytes over each link (from device memory, L2, shared memory), by `Traffic`, for the grid and counted as in
    /// PerformanceView::bytes: of the machine code, and of the program as written. 0: not known.
    std::array<model::Number, kTraffics> compiled, written;
    /// The part of the bytes over L2 that L2 needn't deliver, because it serves blocks that request the same at the
    /// same time together; 0: none, or not known.
    double servedTogether = 0;
  };
  std::vector<State> states;     ///< in any order
  std::vector<double> measured;  ///< for the axes: times in µs of all measured states, also without a model yet
  /// The matrix product that the function computes; nothing: it computes something else.
  std::optional<gpu::Matmul> matmul;
  const model::Device* device = nullptr;  ///< the device whose ceilings are drawn, needed by `of` only; null: not known
  double vendorMicroseconds = 0;          ///< time of the vendor's library (cuBLASLt) on `device`; 0: not known
  bool isCompiled = false;  ///< whether bytes are those of the machine code; else those of the program as written
};

/// The ceiling that a state comes closest to.
struct NearestRoof {
  const Ceiling* ceiling = nullptr;  ///< one of RooflineView::ceilings; never null in a result
  /// Throughput in TFLOP/s that the ceiling allows; for arithmetic and shared memory, on the multiprocessors that have
  /// blocks, and for arithmetic on the part of their units that threads can keep busy (PerformanceView::filled).
  double tflops = 0;
  double share = 0;  ///< the state's throughput over `tflops`; above 1 if the state is past the ceiling
};

/// A roofline: throughput over arithmetic intensity, with the ceilings of a device and a point for each state.
struct RooflineView {
  /// The point of a state.
  struct Point {
    int node = 0;                                ///< index of the state in the history
    double tflops = 0;                           ///< throughput in TFLOP/s, above 0
    bool isPredicted = false;                    ///< whether its time is predicted (RooflineInput::State)
    std::array<model::Number, kTraffics> bytes;  ///< bytes over each link, by `Traffic`, for the grid; 0: not known
    double servedTogether = 0;  ///< bytes over L2 that were subtracted from `bytes` (State::servedTogether); 0: none

    /// Returns whether the bytes over a link are known and not 0, so that the point has a place in the plot.
    bool has(Traffic link) const { return bytes[std::size_t(link)].value > 0; }
  };
  std::vector<Point> points;      ///< ascending by node; without states whose time is 0, empty if `flops` is 0
  std::vector<Ceiling> ceilings;  ///< of the device, as from `ceilingsOf`; empty: the device isn't known
  double flops = 0;               ///< FLOP of the function, by which throughputs are computed; 0: not known
  double vendor = 0;              ///< TFLOP/s of the vendor's library; 0: not known

  /// Where the axes begin and end, as decimal logarithms: x in FLOP/B, y in TFLOP/s. The axes have room for every state
  /// and every link, so that they stay the same when another link is chosen and, mostly, when further states get
  /// points. Points far slower than the others are drawn at the edge.
  double lowX = 0, highX = 1, lowY = 0, highY = 1;

  /// Returns the view. Its `flops` are those that the matrix product needs; for another function the largest of its
  /// states.
  static RooflineView of(const RooflineInput& input);

  /// Returns the point of a state, given by its index in the history; the pointer is into `points`. Null: it has none.
  const Point* find(int node) const;
  /// Returns the arithmetic intensity of a point over a link, in FLOP per byte. Requires `point.has(link)`.
  double intensity(const Point& point, Traffic link) const;
  /// Returns whether a point's throughput is above the ceiling of a link by more than 2 %. False if its bytes or the
  /// ceiling aren't known.
  bool isAbove(const Point& point, Traffic link) const;
  /// Returns the highest peak of the arithmetic units in TFLOP/s; 0: none is known.
  double highestPeak() const;
  /// Returns the intensity, in FLOP/B, at which a link's diagonal reaches `tflops`; 0 if the link's rate isn't known.
  double ridge(Traffic link, double tflops) const;
  /// Returns where the axis of TFLOP/s begins, as a decimal logarithm, if it is also to have room for `tflops`, the
  /// predicted throughput of a previewed step, which is 0 if there is none.
  double lowestWith(double tflops) const;
  /// Returns the ceiling that a point is closest to, among those of the links over which its bytes are known and that
  /// of the arithmetic unit that its kernel uses. `kernel` is the performance of the point's state. Returns nothing if
  /// none of these ceilings is known.
  std::optional<NearestRoof> nearestRoof(const Point& point, const PerformanceView& kernel) const;
};

}  // namespace loom::session
