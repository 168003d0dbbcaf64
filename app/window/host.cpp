#include "app/window/host.h"

#include <glad/glad.h>
// After glad, which GLFW must not bring its own of.
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>
#include <imgui_internal.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "app/window/paired_rectangles.h"

namespace loom::window {
namespace {

// Below that, panels have no room for what they show, and a layout doesn't find its way back.
constexpr int kLeastWidth = 640, kLeastHeight = 400;  // screen units

std::string lastGlfwError() {
  const char* description = nullptr;
  glfwGetError(&description);
  return description == nullptr ? "no reason given" : description;
}

struct PixelSize {
  int width = 0, height = 0;
};

PixelSize sizeOf(const ImDrawData& data) {
  return {int(data.DisplaySize.x * data.FramebufferScale.x), int(data.DisplaySize.y * data.FramebufferScale.y)};
}

Image readBuffer(unsigned buffer, PixelSize size) {
  Image image{size.width, size.height, {}};
  image.rgb.resize(static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height) * 3);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadBuffer(buffer);
  glReadPixels(0, 0, size.width, size.height, GL_RGB, GL_UNSIGNED_BYTE, image.rgb.data());
  image.flip();
  return image;
}

// Before the buffers are swapped: what the front holds afterwards is the system's affair.
Image readBackBuffer(PixelSize size) { return readBuffer(GL_BACK, size); }

// All that is drawn next lies over an area of one colour, 0xRRGGBB.
void drawOver(unsigned colour, PixelSize size) {
  auto channel = [&](int shift) { return static_cast<float>(colour >> shift & 0xff) / 255.0F; };
  glViewport(0, 0, size.width, size.height);
  glClearColor(channel(16), channel(8), channel(0), 1);
  glClear(GL_COLOR_BUFFER_BIT);
}

bool processorDraws() {
  const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  const std::string_view renderer = name == nullptr ? "" : name;
  return renderer.starts_with("llvmpipe") || renderer.starts_with("softpipe");
}

// Milliseconds from one call to the next.
class PhaseClock {
 public:
  double lap() {
    const Clock::time_point before = std::exchange(at_, Clock::now());
    return std::chrono::duration<double, std::milli>(at_ - before).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point at_ = Clock::now();
};

Host* hostOf(GLFWwindow* window) { return static_cast<Host*>(glfwGetWindowUserPointer(window)); }

const WindowFacts& factsOf(GLFWwindow* window) { return hostOf(window)->facts(); }

}  // namespace

// What Dear ImGui's backend calls in place of GLFW's functions (app/CMakeLists.txt). Monitors matter only to windows
// outside the main one, which the workbench has none of.
extern "C" {
GLFWmonitor** loomHostGetMonitors(int* count) {
  *count = 0;
  return nullptr;
}

void loomHostGetWindowSize(GLFWwindow* window, int* width, int* height) {
  *width = factsOf(window).width;
  *height = factsOf(window).height;
}

void loomHostGetFramebufferSize(GLFWwindow* window, int* width, int* height) {
  *width = factsOf(window).framebufferWidth;
  *height = factsOf(window).framebufferHeight;
}

int loomHostGetWindowAttrib(GLFWwindow* window, int attribute) {
  if (attribute == GLFW_FOCUSED) return factsOf(window).focused ? GLFW_TRUE : GLFW_FALSE;
  return glfwGetWindowAttrib(window, attribute);
}
}

Result<std::shared_ptr<SystemWindow>> SystemWindow::open(const HostOptions& options) {
  // Where the processor draws, Mesa's llvmpipe would take all cores for it; compiling and checking need some, too.
  const unsigned threads = std::max(1U, std::thread::hardware_concurrency() / 2);
  setenv("LP_NUM_THREADS", std::to_string(threads).c_str(), 0);
  if (glfwInit() != GLFW_TRUE) {
    return fail("NoDisplay", message("no window can be opened here: {}", lastGlfwError()), Forbids::Environment);
  }
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  GLFWwindow* window = glfwCreateWindow(options.width, options.height, options.title.c_str(), nullptr, nullptr);
  if (window == nullptr) {
    std::string reason = lastGlfwError();
    glfwTerminate();
    return fail("NoDisplay", message("the display gives no OpenGL 3.3: {}", reason), Forbids::Environment);
  }
  glfwMakeContextCurrent(window);
  glfwSwapInterval(options.waitForScreen ? 1 : 0);
  if (gladLoadGLLoader(reinterpret_cast<GLADloadproc>(glfwGetProcAddress)) == 0) {
    glfwDestroyWindow(window);
    glfwTerminate();
    return fail("NoDisplay", message("the OpenGL functions can't be loaded"), Forbids::Environment);
  }
  return std::shared_ptr<SystemWindow>(new SystemWindow(window));
}

SystemWindow::~SystemWindow() {
  glfwDestroyWindow(handle_);
  glfwTerminate();
}

Result<std::unique_ptr<Host>> Host::open(const HostOptions& options, std::shared_ptr<SystemWindow> window) {
  if (window == nullptr) {
    auto opened = SystemWindow::open(options);
    if (!opened) return Failure(opened.error());
    window = std::move(*opened);
  }
  return std::unique_ptr<Host>(new Host(std::move(window), options));
}

namespace {

void noteMisuse(ImGuiContext* context, void* misuses, const char* what) {
  auto& all = *static_cast<std::vector<std::string>*>(misuses);
  std::string told = std::string(context->CurrentWindow ? context->CurrentWindow->Name : "no window") + ": " + what;
  if (std::ranges::find(all, told) == all.end()) all.push_back(std::move(told));
}

}  // namespace

Host::Host(std::shared_ptr<SystemWindow> system, const HostOptions& options)
    : system_(std::move(system)),
      window_(system_->handle()),
      timePhases_(options.timePhases),
      showFrames_(options.showFrames) {
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;  // layouts are kept by Layouts, which writes on another thread
  io.LogFilename = nullptr;
  io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard | ImGuiConfigFlags_DockingEnable;
  io.ConfigInputTextCursorBlink = false;  // nothing blinks, and a still window draws no frames
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  io.ConfigDragClickToInputText = true;  // a number is dragged, or clicked and written
  io.ConfigErrorRecoveryEnableAssert = false;
  io.ConfigErrorRecoveryEnableTooltip = false;
  ImGui::GetCurrentContext()->ErrorCallbackUserData = &misuses_;
  ImGui::GetCurrentContext()->ErrorCallback = noteMisuse;
  glfwSetWindowUserPointer(window_, this);
  glfwGetWindowSize(window_, &facts_.width, &facts_.height);
  glfwGetFramebufferSize(window_, &facts_.framebufferWidth, &facts_.framebufferHeight);
  facts_.focused = glfwGetWindowAttrib(window_, GLFW_FOCUSED) == GLFW_TRUE;
  glfwSetWindowSizeLimits(window_, kLeastWidth, kLeastHeight, GLFW_DONT_CARE, GLFW_DONT_CARE);
  glfwSetWindowSizeCallback(window_, [](GLFWwindow* window, int width, int height) {
    hostOf(window)->facts_.width = width;
    hostOf(window)->facts_.height = height;
  });
  glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* window, int width, int height) {
    hostOf(window)->facts_.framebufferWidth = width;
    hostOf(window)->facts_.framebufferHeight = height;
  });
  glfwSetWindowFocusCallback(
      window_, [](GLFWwindow* window, int focused) { hostOf(window)->facts_.focused = focused == GLFW_TRUE; });
  // Another window lay over this one, and nobody kept what was under it.
  glfwSetWindowRefreshCallback(window_, [](GLFWwindow* window) { hostOf(window)->drawn_.forget(); });
  processorDraws_ = processorDraws();
  ImGui_ImplGlfw_InitForOpenGL(window_, true);
  ImGui_ImplOpenGL3_Init("#version 330");
}

Host::~Host() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
  // The window may outlive its host, and have events yet.
  glfwSetWindowSizeCallback(window_, nullptr);
  glfwSetFramebufferSizeCallback(window_, nullptr);
  glfwSetWindowFocusCallback(window_, nullptr);
  glfwSetWindowRefreshCallback(window_, nullptr);
  glfwSetWindowUserPointer(window_, nullptr);
}

std::vector<std::string> Host::takeMisuses() { return std::exchange(misuses_, {}); }

bool Host::closing() const { return glfwWindowShouldClose(window_) == GLFW_TRUE; }

void Host::close() { glfwSetWindowShouldClose(window_, GLFW_TRUE); }

void Host::stayOpen() { glfwSetWindowShouldClose(window_, GLFW_FALSE); }

void Host::setTitle(const std::string& title) { glfwSetWindowTitle(window_, title.c_str()); }

float Host::contentScale() const {
  float x = 1;
  float y = 1;
  glfwGetWindowContentScale(window_, &x, &y);
  return x > 0 ? x : 1;
}

void Host::waitForEvents(double seconds) {
  if (seconds < 0) {
    glfwWaitEvents();
  } else if (seconds > 0) {
    glfwWaitEventsTimeout(seconds);
  } else {
    glfwPollEvents();
  }
}

void Host::wake() { glfwPostEmptyEvent(); }

void Host::beginFrame() {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  ImGui::NewFrame();
  // Glyphs are baked in the size in which they are drawn, texel for pixel: nearest sampling shows them as they were
  // baked, sharper than bilinear between two pixels, and at three quarters of its cost where the processor draws.
  ImGui::GetBackgroundDrawList()->AddCallback(ImGui::GetPlatformIO().DrawCallback_SetSamplerNearest, nullptr);
}

bool Host::endFrame(unsigned clear, Image* picture) {
  ImGui::Render();
  ImDrawData& data = *ImGui::GetDrawData();
  PhaseClock clock;
  const bool differs = drawn_.differs(data, clear);
  const double compared = clock.lap();
  const bool draws = picture != nullptr || (differs && showFrames_);
  if (draws) {
    // A GPU takes the frame as it is, and who asks for a picture may read the lists.
    if (processorDraws_ && picture == nullptr) pairRectangles(data);
    drawOver(clear, sizeOf(data));
  } else {
    data.CmdLists.clear();  // nothing is left of it but textures to be filled
  }
  ImGui_ImplOpenGL3_RenderDrawData(&data);
  if (!draws) return differs;
  if (timePhases_) glFinish();
  const double drawn = clock.lap();
  if (picture != nullptr) *picture = readBackBuffer(sizeOf(data));
  glfwSwapBuffers(window_);
  phases_ = {compared, drawn, clock.lap()};
  return differs;
}

void Host::endUnseen() { ImGui::Render(); }

int Host::longestSide() {
  constexpr int kEnough = 16384;  // px; a file of more is hardly opened anywhere
  int most = 0;
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &most);
  return std::min(most, kEnough);
}

Image Host::drawApart(ImDrawData& data, unsigned clear) {
  const PixelSize whole = sizeOf(data);
  unsigned buffer = 0, target = 0;
  glGenFramebuffers(1, &target);
  glGenRenderbuffers(1, &buffer);
  glBindRenderbuffer(GL_RENDERBUFFER, buffer);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGB8, whole.width, whole.height);
  glBindFramebuffer(GL_FRAMEBUFFER, target);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffer);
  Image image;
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE) {
    drawOver(clear, whole);
    ImGui_ImplOpenGL3_RenderDrawData(&data);
    image = readBuffer(GL_COLOR_ATTACHMENT0, whole);
  }
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glDeleteFramebuffers(1, &target);
  glDeleteRenderbuffers(1, &buffer);
  return image;
}

}  // namespace loom::window
