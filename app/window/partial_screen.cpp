#include "app/window/partial_screen.h"

#include <dlfcn.h>
#include <glad/glad.h>
// After glad, which GLFW must not bring its own of.
#include <GLFW/glfw3.h>

#include <atomic>
#include <string_view>
#include <utility>

namespace loom::window {
namespace {

template <typename Function>
Function find(const char* name) {
  return reinterpret_cast<Function>(glfwGetProcAddress(name));
}

// Set where the server has refused a part. Global, since a handler of X errors is told of nothing else.
std::atomic<bool> refused = false;

// Not to be included: X11's headers define Status, None and other common words.
struct XErrorEvent {
  int type;
  void* display;
  unsigned long resource, serial;
  unsigned char error, request, minor;
};
using ErrorHandler = int (*)(void* display, XErrorEvent* event);
ErrorHandler otherErrors = nullptr;

// A window may become smaller between a frame's beginning and its end; a part beyond its edge is an error then, and
// Xlib's own handler would end the program. The next frame is drawn whole.
int takeError(void* display, XErrorEvent* event) {
  constexpr unsigned char kBadValue = 2, kBadMatch = 8;
  if (event->error != kBadValue && event->error != kBadMatch) return otherErrors(display, event);
  refused = true;
  return 0;
}

bool handleErrors() {
  if (otherErrors != nullptr) return true;
  void* library = dlopen("libX11.so.6", RTLD_NOW);
  if (library == nullptr) return false;
  const auto set = reinterpret_cast<ErrorHandler (*)(ErrorHandler)>(dlsym(library, "XSetErrorHandler"));
  if (set != nullptr) otherErrors = set(takeError);
  return otherErrors != nullptr;
}

}  // namespace

bool processorDraws() {
  const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  const std::string_view renderer = name == nullptr ? "" : name;
  return renderer.starts_with("llvmpipe") || renderer.starts_with("softpipe");
}

std::unique_ptr<PartialScreen> PartialScreen::ofThisContext() {
  if (!processorDraws() || glfwExtensionSupported("GLX_MESA_copy_sub_buffer") != GLFW_TRUE) return nullptr;
  // By their names, so that no header of X11 is needed.
  const auto copy = find<CopySubBuffer>("glXCopySubBufferMESA");
  const auto display = find<void* (*)()>("glXGetCurrentDisplay");
  const auto drawable = find<unsigned long (*)()>("glXGetCurrentDrawable");
  if (copy == nullptr || display == nullptr || drawable == nullptr || !handleErrors()) return nullptr;
  return std::unique_ptr<PartialScreen>(new PartialScreen(copy, display(), drawable()));
}

bool PartialScreen::follow(const Area& whole) {
  if (refused.exchange(false) || whole != whole_) {
    whole_ = whole;
    exchanges_ = kExchanges;
    kept_ = false;
    return true;
  }
  if (exchanges_ > 0) --exchanges_;
  return !std::exchange(kept_, exchanges_ == 0);
}

void PartialScreen::show(const Area& area) const {
  copy_(display_, drawable_, area.left, whole_.bottom - area.bottom, area.right - area.left, area.bottom - area.top);
}

}  // namespace loom::window
