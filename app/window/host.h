#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/window/drawn_frame.h"
#include "app/window/image.h"
#include "core/ir/result.h"

struct GLFWwindow;

namespace loom::window {

/// The options of the window and its frames.
struct HostOptions {
  std::string title = "Tileloom";
  int width = 1600;           ///< screen coordinates
  int height = 1000;          ///< screen coordinates
  bool waitForScreen = true;  ///< whether frames wait for the screen's refresh; off for measurements of frame times
  bool timePhases = false;    ///< whether `endFrame` waits for OpenGL to finish, to time drawing and showing apart
  /// Whether frames are drawn and shown on the screen. If false, only those are drawn whose picture `endFrame` is to
  /// return: tests save the cost of drawing on the CPU.
  bool showFrames = true;
};

/// How long the parts of `endFrame` took, in ms.
struct FramePhases {
  double compared = 0;  ///< comparing the frame with the one before
  double drawn = 0;     ///< drawing by OpenGL; known only with HostOptions::timePhases
  double shown = 0;     ///< handing the picture to the display server
};

/// What the display server last reported about the window. It is stored because asking takes a round trip.
struct WindowFacts {
  int width = 0, height = 0;                        ///< screen coordinates
  int framebufferWidth = 0, framebufferHeight = 0;  ///< px
  bool focused = false;
};

/// The operating system's window with its OpenGL 3.3 context. Only one may exist at a time, and only the main thread
/// may use it.
class SystemWindow {
 public:
  /// Opens the window. Error "NoDisplay" if there is no display, or none with OpenGL 3.3.
  static Result<std::shared_ptr<SystemWindow>> open(const HostOptions& options);
  ~SystemWindow();
  SystemWindow(const SystemWindow&) = delete;
  SystemWindow& operator=(const SystemWindow&) = delete;

  /// Returns GLFW's handle of the window; never null.
  GLFWwindow* handle() const { return handle_; }

 private:
  explicit SystemWindow(GLFWwindow* handle) : handle_(handle) {}
  GLFWwindow* handle_;
};

/// A window with a context of Dear ImGui. Only one may exist at a time, and only the main thread may use it, except
/// `wake`.
class Host {
 public:
  /// Makes a host in `window`, which no other host may use, or if it is null in a window that it opens. Error
  /// "NoDisplay" as for SystemWindow::open.
  static Result<std::unique_ptr<Host>> open(const HostOptions& options, std::shared_ptr<SystemWindow> window = nullptr);
  ~Host();
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  /// Returns whether the window is to be closed, because the user or `close` has requested it.
  bool closing() const;
  /// Requests that the window be closed: `closing` returns true from now on.
  void close();
  /// Withdraws the request to close the window, whether the user's or that of `close`.
  void stayOpen();
  /// Sets the text of the window's title bar.
  void setTitle(const std::string& title);
  /// Returns the scale that the system sets for the window's monitor; 1 is 100 %.
  float contentScale() const;

  /// Waits for input or a call of `wake`, at most `seconds`, and handles the events. A negative number waits without
  /// limit, 0 doesn't wait.
  void waitForEvents(double seconds);
  /// Ends `waitForEvents`, because there is something new to show. Any thread may call this.
  static void wake();
  /// Returns the size and the focus of the window as of the last `waitForEvents`.
  const WindowFacts& facts() const { return facts_; }

  /// Begins a frame of Dear ImGui. `endFrame` or `endUnseen` must end it.
  void beginFrame();
  /// Ends the frame: draws it over the colour `clear` (0xRRGGBB), shows it on the screen and, unless `picture` is null,
  /// stores what it drew in `picture`. With a null `picture`, nothing is drawn if the frame is the same as the one
  /// before, or if frames are not to be shown (HostOptions::showFrames). Returns whether the frame differs from the one
  /// before.
  bool endFrame(unsigned clear, Image* picture = nullptr);
  /// Ends a frame without showing it, in place of `endFrame`.
  void endUnseen();
  /// Returns a picture of draw lists of the frame that has just ended, drawn in their full size over the colour `clear`
  /// (0xRRGGBB). The screen doesn't change. Returns an empty picture if OpenGL refuses its size.
  Image drawApart(ImDrawData& data, unsigned clear);
  /// Returns the largest width and height, in pixels, of a picture that `drawApart` can draw.
  static int longestSide();
  /// Returns how long the parts of the last frame took that was drawn.
  const FramePhases& phases() const { return phases_; }
  /// Returns the misuses of Dear ImGui's functions that Dear ImGui has found since the last call: for each its message,
  /// once, after the name of the ImGui window. They are mistakes of this program, which only tests look at.
  std::vector<std::string> takeMisuses();
  /// Returns whether `endFrame` can wait until the screen takes the next frame, which it does if
  /// HostOptions::waitForScreen is set. False if one of Mesa's software renderers draws.
  bool waitsForScreen() const { return !processorDraws_; }

 private:
  Host(std::shared_ptr<SystemWindow> system, const HostOptions& options);
  std::shared_ptr<SystemWindow> system_;
  GLFWwindow* window_;  ///< the handle of `system_`
  DrawnFrame drawn_;
  bool processorDraws_ = false;
  WindowFacts facts_;
  const bool timePhases_, showFrames_;
  FramePhases phases_;
  std::vector<std::string> misuses_;
};

}  // namespace loom::window
