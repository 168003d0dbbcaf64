#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

namespace loom::window {

/// The durations of frames of the window: from `begin`, after the window has slept, to `end`, when the frame's picture
/// has been handed to the screen.
class FrameTimes {
 public:
  using Clock = std::chrono::steady_clock;

  /// Notes that a frame begins.
  void begin() { began_ = Clock::now(); }
  /// Adds the duration of the frame since `begin`, which must have been called.
  void end() { add(std::chrono::duration<double, std::milli>(Clock::now() - began_).count()); }
  /// Adds the duration of a frame.
  void add(double milliseconds) { milliseconds_.push_back(milliseconds); }
  /// Removes all durations.
  void clear() { milliseconds_.clear(); }
  /// Returns the number of frames that were added.
  std::size_t count() const { return milliseconds_.size(); }

  /// Returns the smallest duration, in ms, that at least `share` (0…1) of the frames stay within; 0 without frames.
  double percentile(double share) const;

 private:
  Clock::time_point began_{};
  std::vector<double> milliseconds_;
};

}  // namespace loom::window
