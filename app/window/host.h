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
  bool waitForScreen = true;  ///< frames wait for the screen's refresh; off to measure frames
  bool timePhases = false;    ///< `endFrame` waits until the picture is drawn before it shows it, to time both
  /// Whether frames are drawn and shown although nobody wants their picture. Off where nobody looks: a test asks what a
  /// frame is made of, and drawing it by the processor costs more than making it.
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

/// The operating system's window with its OpenGL 3.3 context. One at a time and on the main thread only.
class SystemWindow {
 public:
  /// Opens the window. Error "NoDisplay" if there is no display, or none with OpenGL 3.3.
  static Result<std::shared_ptr<SystemWindow>> open(const HostOptions& options);
  ~SystemWindow();
  SystemWindow(const SystemWindow&) = delete;
  SystemWindow& operator=(const SystemWindow&) = delete;

  GLFWwindow* handle() const { return handle_; }

 private:
  explicit SystemWindow(GLFWwindow* handle) : handle_(handle) {}
  GLFWwindow* handle_;
};

/// A window with Dear ImGui's contexts in it. One at a time and on the main thread only, except `wake`.
class Host {
 public:
  /// Takes `window`, which no other host has, or where that is null opens one. Error "NoDisplay" as there.
  static Result<std::unique_ptr<Host>> open(const HostOptions& options, std::shared_ptr<SystemWindow> window = nullptr);
  ~Host();
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  /// Returns whether the window is to be closed, because the user or `close` has asked for it.
  bool closing() const;
  void close();
  /// Withdraws that request.
  void stayOpen();
  void setTitle(const std::string& title);
  /// Returns the scale that the monitor asks for; 1 is 100 %.
  float contentScale() const;

  /// Waits for input or `wake`, at most that many seconds, and handles the events. A negative number waits without
  /// limit, 0 doesn't wait.
  void waitForEvents(double seconds);
  /// Ends `waitForEvents`, because there is something new to show. Any thread may call this.
  static void wake();
  const WindowFacts& facts() const { return facts_; }

  /// Begin and end a frame. `endFrame` draws it over the colour `clear` (0xRRGGBB) and, unless `picture` is null,
  /// stores what it drew there. Draws nothing unless a picture is wanted if the screen already shows the same, which it
  /// tells by false, or if frames are not to be shown (HostOptions::showFrames).
  void beginFrame();
  bool endFrame(unsigned clear, Image* picture = nullptr);
  /// Ends a frame without showing it, in place of `endFrame`.
  void endUnseen();
  /// Draws draw lists of the frame that has just ended into a picture of its own, in their full size. The screen
  /// doesn't change. Returns an empty picture if there is not enough memory.
  Image drawApart(ImDrawData& data, unsigned clear);
  /// Returns the largest width and height, in pixels, of such a picture.
  static int longestSide();
  /// Returns how long the parts of the last frame took that was drawn.
  const FramePhases& phases() const { return phases_; }
  /// Returns what Dear ImGui found wrong with the use of its functions since the last call, each sentence once, with the
  /// name of its window in front: mistakes of this program, which tests look for and a user isn't told of.
  std::vector<std::string> takeMisuses();
  /// Returns whether `endFrame` waits until the screen takes the next frame. Mesa's software renderers don't.
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
