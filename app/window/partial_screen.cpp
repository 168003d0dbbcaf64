#include "app/window/partial_screen.h"

#include <glad/glad.h>
// After glad, which GLFW must not bring its own of.
#include <GLFW/glfw3.h>

#include <string_view>

namespace loom::window {
namespace {

template <typename Function>
Function find(const char* name) {
  return reinterpret_cast<Function>(glfwGetProcAddress(name));
}

}  // namespace

std::unique_ptr<PartialScreen> PartialScreen::ofThisContext() {
  const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  const std::string_view renderer = name == nullptr ? "" : name;
  const bool processor = renderer.starts_with("llvmpipe") || renderer.starts_with("softpipe");
  if (!processor || glfwExtensionSupported("GLX_MESA_copy_sub_buffer") != GLFW_TRUE) return nullptr;
  // By their names, so that no header of X11 is needed.
  const auto copy = find<CopySubBuffer>("glXCopySubBufferMESA");
  const auto display = find<void* (*)()>("glXGetCurrentDisplay");
  const auto drawable = find<unsigned long (*)()>("glXGetCurrentDrawable");
  if (copy == nullptr || display == nullptr || drawable == nullptr) return nullptr;
  return std::unique_ptr<PartialScreen>(new PartialScreen(copy, display(), drawable()));
}

void PartialScreen::follow(const Area& whole) {
  // Mesa's software renderer looks for another size of the window only when buffers are exchanged. What that shows is
  // what is there already.
  if (whole != whole_) glfwSwapBuffers(glfwGetCurrentContext());
  whole_ = whole;
}

void PartialScreen::show(const Area& area) const {
  copy_(display_, drawable_, area.left, whole_.bottom - area.bottom, area.right - area.left, area.bottom - area.top);
}

}  // namespace loom::window
