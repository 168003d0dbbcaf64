#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/window/drawn_frame.h"
#include "app/window/image.h"
#include "core/ir/result.h"

struct GLFWwindow;

namespace loom::window {

struct HostOptions {
  std::string title = "Tileloom";
  int width = 1600;           ///< screen coordinates
  int height = 1000;          ///< screen coordinates
  bool waitForScreen = true;  ///< frames wait for the screen's refresh; off to measure frames
  bool timePhases = false;    ///< `endFrame` waits until the picture is drawn before it shows it, to time both
};

/// Where the time of `endFrame` went, in ms.
struct FramePhases {
  double compared = 0;  ///< with the frame before
  double drawn = 0;     ///< by OpenGL; not known without HostOptions::timePhases
  double shown = 0;     ///< handed to the display server
};

/// What the display server last said of the window. To ask it costs a round trip, and a wait where jobs keep it busy.
struct WindowFacts {
  int width = 0, height = 0;                        ///< screen coordinates
  int framebufferWidth = 0, framebufferHeight = 0;  ///< px
  bool focused = false;
};

/// The operating system's window with its OpenGL 3.3 context and Dear ImGui's contexts in it. One at a time and on the
/// main thread only, except `wake`.
class Host {
 public:
  /// Error codes: NoDisplay when there is none or it gives no OpenGL 3.3.
  static Result<std::unique_ptr<Host>> open(const HostOptions& options);
  ~Host();
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  /// Whether the user has asked to close the window.
  bool closing() const;
  void close();
  /// Takes that back.
  void stayOpen();
  void setTitle(const std::string& title);
  /// How many px the monitor wants for one at 100 %.
  float contentScale() const;

  /// Sleeps until input, `wake`, or the end of `seconds`, and takes the events in. Endless when negative; zero polls.
  void waitForEvents(double seconds);
  /// Ends `waitForEvents` from any thread: a job has something to show.
  static void wake();
  const WindowFacts& facts() const { return facts_; }

  /// Everything of a frame goes between these two. `endFrame` draws it over `clear` (0xRRGGBB) and, where asked, reads
  /// back what it drew. False when the screen shows just this already: then, unless a picture is wanted, nothing is
  /// drawn, and it returns at once.
  void beginFrame();
  bool endFrame(unsigned clear, Image* picture = nullptr);
  /// In place of `endFrame`: nobody sees the frame.
  void endUnseen();
  /// Draws lists of the frame that has just ended by themselves, as large as they want to be. What the screen shows
  /// stays. Empty where there is no memory for it.
  Image drawApart(ImDrawData& data, unsigned clear);
  /// The most pixels that a side of such a picture has.
  static int longestSide();
  /// Of the last frame that was drawn.
  const FramePhases& phases() const { return phases_; }
  /// Whether `endFrame` returns only when the screen takes another frame. Mesa's drivers that draw with the processor
  /// hand a frame over at once.
  bool waitsForScreen() const { return !processorDraws_; }

 private:
  Host(GLFWwindow* window, bool timePhases);
  GLFWwindow* window_;
  DrawnFrame drawn_;
  bool processorDraws_ = false;
  WindowFacts facts_;
  const bool timePhases_;
  FramePhases phases_;
};

}  // namespace loom::window
