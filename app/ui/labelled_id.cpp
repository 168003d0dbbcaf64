#include "app/ui/labelled_id.h"

namespace loom::window {

std::string windowName(const char* title, const char* id) { return std::string(title) + "###" + id; }

}  // namespace loom::window
