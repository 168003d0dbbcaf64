#pragma once

#include <algorithm>

#include "tests/gui/script.h"

/// What the tests of several panels have in common that show blocks of a cluster.
namespace loom::window {

/// The lesson *Hopper at 4096* is open at its chapter of clusters, and its state's model is made for a device whose
/// GPCs are known.
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
