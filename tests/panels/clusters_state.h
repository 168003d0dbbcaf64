#pragma once

#include <algorithm>

#include "tests/gui/script.h"

/// Opens a kernel with thread block clusters, for tests of the panels that show them.
namespace loom::window {

/// Opens the lesson "hopper", goes to the end of its chapter "clusters", which it must have, and waits until the cost
/// model of that state has been made. Before that it waits until some target is open. Returns whether all of this came
/// in time.
inline bool clustersAreShown(ImGuiTestContext* ctx) {
  if (!lessonIsOpen(ctx)) return false;
  auto& model = modelOf(ctx);
  model.documents().open("hopper");
  if (!yieldUntil(ctx, [&] { return model.documents().target()->lessonName == "hopper"; })) return false;
  const auto& chapters = model.documents().target()->lesson->chapters;
  const auto at = std::ranges::find(chapters, "clusters", &document::Chapter::id);
  model.navigation().goToChapter(int(at - chapters.begin()));
  ctx->Yield(2);
  return yieldUntil(
      ctx, [&] { return model.models().of(model.navigation().current(), session::ModelBasis::kSource) != nullptr; });
}

}  // namespace loom::window
