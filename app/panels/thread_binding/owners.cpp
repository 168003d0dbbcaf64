#include "app/panels/thread_binding/owners.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "app/panels/thread_binding/words.h"
#include "app/ui/labelled_id.h"
#include "app/ui/look.h"
#include "app/ui/quantity_text.h"
#include "app/ui/short_step.h"
#include "app/ui/small_button.h"
#include "app/ui/text.h"

namespace loom::panels {

namespace words = text::binding;
using session::BoundStatement;

namespace {

constexpr std::size_t kAtOnce = 6;  // names

}  // namespace

OwnersPart::Use OwnersPart::draw(const PanelContext& context, const BoundStatement& shown, float width) {
  const window::Look& look = context.look;
  Use use;
  if (of_ != shown.element) {
    of_ = shown.element;
    text_ = of_ ? fmt::format("{}, {}", of_->first, of_->second) : "";
    refused_ = false;
    first_ = 0;
  }
  drawField(context, shown, use);
  if (refused_) {
    drawSecond(look, say(look, words::kNoElement, shown.view.shape.rows - 1, shown.view.shape.columns - 1));
  } else if (!shown.owners) {
    drawSecond(look, look.say(shown.view.shape.fragments ? words::kPickFragment : words::kPickElement));
  } else if (!*shown.owners) {
    drawSecond(look, look.tell(shown.owners->error().message));
  } else {
    drawList(context, shown, width, use);
  }
  return use;
}

void OwnersPart::drawField(const PanelContext& context, const BoundStatement& shown, Use& use) {
  const window::Look& look = context.look;
  ImGui::SetNextItemWidth(look.px(100));
  ImGui::InputTextWithHint("###element", "[i, j]", &text_);
  setItemTip(look, look.say(words::kElementHint));
  if (!ImGui::IsItemDeactivatedAfterEdit()) return;
  use.element = session::elementFrom(text_, shown.view.shape);
  refused_ = !use.element;
}

void OwnersPart::drawList(const PanelContext& context, const BoundStatement& shown, float width, Use& use) {
  const window::Look& look = context.look;
  const model::ElementThreads& owners = **shown.owners;
  const auto [row, column] = *shown.element;
  const bool tile = shown.binding->accesses().accesses[std::size_t(shown.choice.access)].tile.has_value();
  drawSecond(look, !owners.complete ? say(look, words::kOwnersMore, row, column, owners.all.size())
                                    : say(look, tile ? words::kOwnersOfTile : words::kOwners, row, column,
                                          owners.blocks, owners.all.size()));
  if (owners.all.empty()) return;
  first_ = first_ < owners.all.size() ? first_ : 0;
  const std::size_t end = std::min(first_ + kAtOnce, owners.all.size());
  ImGui::PushFont(nullptr, window::kSecondarySize);
  for (std::size_t i = first_; i < end; ++i) {
    const model::AccessingThread& owner = owners.all[i];
    const std::int64_t warp = owner.thread / layout::kLanes, lane = owner.thread % layout::kLanes;
    const std::string name =
        tile ? say(look, words::kOwnerWarp, owner.block, warp) : say(look, words::kOwner, owner.block, warp, lane);
    const bool chosen = owner.block == shown.choice.block &&
                        (tile ? warp == shown.choice.thread / layout::kLanes : owner.thread == shown.choice.thread);
    if (ImGui::Selectable(
            window::windowName(ellipsized(name, width).c_str(), fmt::format("owner{}", i - first_).c_str()).c_str(),
            chosen, ImGuiSelectableFlags_None, {width, 0})) {
      use.owner = owner;
    }
  }
  // The room of a full list: what is below keeps its place when the last names come.
  if (first_ > 0 && end - first_ < kAtOnce)
    ImGui::Dummy({width, float(kAtOnce - (end - first_)) * ImGui::GetTextLineHeightWithSpacing() -
                             ImGui::GetStyle().ItemSpacing.y});
  if (owners.all.size() > kAtOnce || !owners.complete) {
    const std::size_t rest = owners.all.size() - end;
    const std::string more = rest == 0 && owners.complete ? look.say(words::kOwnersFirst)
                             : owners.complete            ? say(look, words::kOwnersRest, rest)
                                                          : say(look, words::kOwnersRestMore, rest);
    if (window::smallButton(window::windowName(more.c_str(), "moreowners").c_str())) first_ = rest == 0 ? 0 : end;
    setItemTip(look, look.say(words::kOwnersRestHint));
  }
  ImGui::PopFont();
  drawSecond(look, look.say(words::kOwnersFramed));
}

}  // namespace loom::panels
