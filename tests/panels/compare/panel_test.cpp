#include <imgui_internal.h>

#include "app/widgets/state_finder.h"
#include "core/document/chapter_order.h"
#include "tests/gui/script.h"

namespace loom::window::compare_panel_test {
namespace {

// The first chapter that is compared with another one than the chapter before it, both of them kernels; −1: none.
int comparedElsewhere(const session::Session& model) {
  const document::Target& target = *model.documents().target();
  for (int c = 1; c < int(target.chapterNodes.size()); ++c) {
    const int with = document::comparedChapter(*target.lesson, std::size_t(c));
    const auto node = [&](int chapter) { return target.chapterNodes[std::size_t(chapter)]; };
    if (with < c - 1 && panels::isKernel(model, node(c)) && panels::isKernel(model, node(with))) return c;
  }
  return -1;
}

TEST_F(Bench, AChapterIsComparedWithTheOneThatItsTextQuotes) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(lessonIsOpen(ctx));
    session::Session& model = modelOf(ctx);
    const document::Target& target = *model.documents().target();
    int chapter = -1;
    IM_CHECK(yieldUntil(ctx, [&] { return (chapter = comparedElsewhere(model)) >= 0; }));
    const int with = document::comparedChapter(*target.lesson, std::size_t(chapter));
    const std::string title = target.lesson->chapters[std::size_t(with)].title.at("en");
    model.navigation().goToChapter(chapter);
    ctx->WindowFocus("//###performance");
    ctx->SetRef("//###performance");
    ctx->ItemClick("###views/###compare");
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###performance", title.c_str()); }));
    // By its chapter, as chapters that begin anew may have as many steps, and with the word that the text does so.
    IM_CHECK(shows(ctx, "###performance", (title + " · chapter " + std::to_string(with + 1)).c_str()));
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###performance", "as the lesson does"); }));
    IM_CHECK(shows(ctx, "###performance", "Recorded: "));
    // A step before the chapter's end has a program of its own to be compared with: the one before it.
    const int before = model.navigation().node().parent;
    IM_CHECK_EQ(panels::comparedByDefault(model, before), panels::kernelBefore(model, before));
    // Another choice stays chosen.
    model.comparison().with(before);
    ctx->Yield(3);
    IM_CHECK(!shows(ctx, "###performance", title.c_str()));
  });
}

}  // namespace
}  // namespace loom::window::compare_panel_test
