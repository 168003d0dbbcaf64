#pragma once

#include <string>

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// Draws a lesson's Markdown, wrapped to the window: paragraphs, `**strong**`, `*emphasis*` and `` `code` ``.
void drawRichText(const window::Look& look, const std::string& markdown);

}  // namespace loom::panels
