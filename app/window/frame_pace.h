#pragma once

namespace loom::window {

/// Decides how long the window may sleep before its next frame. A still window draws nothing: after an event come some
/// frames at once, in which Dear ImGui settles, then a few slow ones for what appears after a moment (hover delays),
/// then sleep without end until the next event.
class FramePacer {
 public:
  /// Notes that something happened: input came, or a job has woken the window.
  void touch() {
    eager_ = kEagerFrames;
    slow_ = kSlowFrames;
  }
  /// Makes the next frame come without an event, because something moves. To be called, before `next`, in each frame in
  /// which it still moves.
  void animate() { eager_ = eager_ > 1 ? eager_ : 1; }

  /// Returns how many seconds to sleep before the next frame unless an event comes: 0 for no sleep, a negative number
  /// for sleep without end. To be called once a frame, since each call counts one frame.
  double next() {
    if (eager_ > 0) {
      --eager_;
      return 0;
    }
    if (slow_ > 0) {
      --slow_;
      return kSlowSeconds;
    }
    return -1;
  }

 private:
  static constexpr int kEagerFrames = 3;
  static constexpr int kSlowFrames = 8;
  static constexpr double kSlowSeconds = 0.06;
  int eager_ = kEagerFrames;
  int slow_ = kSlowFrames;
};

}  // namespace loom::window
