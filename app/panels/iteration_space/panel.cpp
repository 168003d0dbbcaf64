#include "app/panels/iteration_space/panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "app/panels/iteration_space/boxes.h"
#include "app/panels/iteration_space/labels.h"
#include "app/panels/iteration_space/view/start.h"
#include "app/panels/iteration_space/words.h"
#include "app/panels/loop_nest/view/loop_nest.h"
#include "app/text/panels.h"
#include "app/ui/look.h"
#include "app/ui/number_field.h"
#include "app/ui/short_step.h"
#include "app/ui/small_button.h"
#include "app/ui/text.h"
#include "app/ui/tone_heading.h"
#include "app/widgets/empty_state.h"
#include "app/widgets/preview_strip.h"

namespace loom::panels {

namespace words = text::iteration;
using session::IterationSpace;
using session::SceneBox;
using session::SpaceLevel;
using window::Look;
using window::Tone;
using Kind = SpaceLevel::Kind;

namespace {

constexpr float kLeastPicture = 150;  // design px
constexpr float kLeastBelow = 120;    // design px: two rows of sliders and three of levels
constexpr float kLowPicture = 0.5F;   // of a low panel
constexpr float kFill = 0.94F;        // of the picture's shorter side
constexpr float kHeavy = 4e5F;        // px of faces: some ms where the processor draws
constexpr float kRowsBelow = 10;
constexpr int kLanes = 32;

}  // namespace

void IterationSpacePanel::draw(PanelContext& context) {
  if (!context.hasProgram()) {
    drawNoProgram(context);
    return;
  }
  if (!follow(context)) {
    drawPreviewLine(context);
    return;
  }
  followSelection(context);
  const Look& look = context.look;
  // What stands below the picture has the room that most states need, however many cuts this one has: the picture
  // keeps its size from state to state.
  const float below = kRowsBelow * look.px(22) + look.px(104);
  const float strip = previewLineHeight(context);
  const float spare = strip > 0 ? strip + ImGui::GetStyle().ItemSpacing.y : 0;
  const float room = ImGui::GetContentRegionAvail().y - spare;
  // A low panel has the levels first: below the sliders one of them would be in sight.
  const bool isLow = room < look.px(kLeastPicture + kLeastBelow);
  drawPicture(context, isLow ? room * kLowPicture : std::max({look.px(kLeastPicture), room - below, room * 0.4F}));
  if (!isLow) drawSliders(context);
  if (ImGui::BeginChild("levels", {0, -spare})) {
    drawLevels(context);
    if (isLow) drawSliders(context);
  }
  ImGui::EndChild();
  drawPreviewLine(context);
}

bool IterationSpacePanel::follow(PanelContext& context) {
  session::Session& session = *context.session;
  if (opened_ != session.opened()) chosen_ = false;
  opened_ = session.opened();
  const session::PreviewedStep* preview = session.preview().step();
  const bool ghost = preview != nullptr && preview->program;
  const auto program = session.preview().shownProgram(shown_ ? asked_ : nullptr);
  if (ghost && !before_) before_.emplace(path_, level_);
  if (preview == nullptr && before_ && program) {
    std::tie(path_, level_) = *std::exchange(before_, std::nullopt);
    asked_ = nullptr;
  }
  if (program && program != asked_) {
    asked_ = program;
    next_.ask(
        [program, start = session.navigation().history().node(0).state,
         state = ghost ? *preview->state : session.navigation().node().state, path = path_] {
          auto space = IterationSpace::of(start, state, session::nestOf(*program));
          if (!space) return Shown{program, nullptr, nullptr, space.error()};
          auto view = (*space)->view(path, int((*space)->levels().size()));
          if (!view) return Shown{program, nullptr, nullptr, view.error()};
          return Shown{program, *space, std::make_shared<const session::IterationView>(std::move(*view)), {}};
        },
        session.options().wake);
  }
  if (auto made = next_.take()) {
    const bool other = !shown_ || shown_->from != made->from;
    if (other && shown_ && shown_->space && made->space) {
      // Another state: as deep as before, as far as it goes.
      for (std::size_t d = 0; d < 3; ++d) {
        if (shown_->space->axes()[d].extent != made->space->axes()[d].extent) camera_.cut[d] = 0;
      }
    }
    shown_ = std::move(*made);
    if (shown_->view) {
      path_ = shown_->view->path;
      if (other && !chosen_)
        level_ = session::levelToStartWith(*shown_->space, *shown_->view, session::nestOf(*shown_->from));
      level_ = std::clamp(level_, -1, int(shown_->space->levels().size()) - 1);
    }
  }
  if (!shown_) {
    drawEmpty(context, text::panels::kDeriving);
    return false;
  }
  if (!shown_->space) {
    drawSecond(context.look, say(context.look, words::kNone, context.look.tell(shown_->problem->message)));
    return false;
  }
  return true;
}

void IterationSpacePanel::followSelection(PanelContext& context) {
  session::Session& session = *context.session;
  const IterationSpace& space = *shown_->space;
  if (session.selection().ids() != selected_) {
    selected_ = session.selection().ids();
    for (ir::Id id : selected_) {
      if (const int level = space.levelOf(id); level >= 0) level_ = level;
    }
  }
  if (const auto& chosen = session.selection().thread(); chosen != taken_ && shown_->from == asked_) {
    taken_ = chosen;
    std::vector<std::int64_t> wanted = path_;
    auto set = [&](Kind kind, std::int64_t value) {
      if (const int level = space.levelOf(kind); level >= 0) wanted[std::size_t(level)] = value;
    };
    set(Kind::kBlocks, chosen.block);
    set(Kind::kWarps, chosen.thread / kLanes);
    set(Kind::kLanes, chosen.thread % kLanes);
    wanted = space.clamped(std::move(wanted));
    for (std::size_t l = 0; l < wanted.size(); ++l) {
      if (wanted[l] != path_[l]) {
        path_ = wanted;
        choose(context, int(l), wanted[l]);
        break;
      }
    }
  }
}

void IterationSpacePanel::choose(PanelContext& context, int level, std::int64_t child) {
  if (shown_->from != asked_) return;  // another state is under way
  const IterationSpace& space = *shown_->space;
  path_[std::size_t(level)] = child;
  path_ = space.clamped(path_);
  auto at = [&](Kind kind) {
    const int l = space.levelOf(kind);
    return l < 0 ? 0 : path_[std::size_t(l)];
  };
  if (space.levels()[std::size_t(level)].kind != Kind::kLoop) {
    taken_ = {at(Kind::kBlocks), at(Kind::kWarps) * kLanes + at(Kind::kLanes)};
    context.session->selection().chooseThread(taken_);
  }
  next_.ask(
      [from = shown_->from, space = shown_->space, path = path_] {
        auto view = space->view(path, int(space->levels().size()));
        if (!view) return Shown{from, nullptr, nullptr, view.error()};
        return Shown{from, space, std::make_shared<const session::IterationView>(std::move(*view)), {}};
      },
      context.session->options().wake);
}

void IterationSpacePanel::showLevel(PanelContext& context, int level) {
  level_ = std::clamp(level, -1, int(shown_->space->levels().size()) - 1);
  chosen_ = true;
  if (level_ < 0) return;
  selected_ = shown_->space->levels()[std::size_t(level_)].loops;
  context.session->selection().select(selected_);
}

void IterationSpacePanel::drawPicture(PanelContext& context, float height) {
  const Look& look = context.look;
  const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
  ImVec2 at = ImGui::GetCursorScreenPos();
  at = {std::floor(at.x), std::floor(at.y)};
  const ImVec2 size = {std::max(1.0F, std::floor(ImGui::GetContentRegionAvail().x)),
                       std::max(1.0F, std::floor(height))};
  ImGui::InvisibleButton("picture", size, ImGuiButtonFlags_EnableNav);
  const float pixels = kFill * std::min(size.x, size.y) / 2;  // of the radius
  const ImVec2 middle = {at.x + size.x / 2, at.y + size.y / 2};
  steer(context, middle, pixels);

  views::BoxView view;
  // While it moves, one sample a pixel, and where that is too much still, half the pixels.
  const bool moves = camera_ != last_;
  last_ = camera_;
  const float detail = moves && area_ > kHeavy ? 0.5F : 1.0F;
  view.width = std::max(1, int(size.x * scale.x * detail));
  view.height = std::max(1, int(size.y * scale.y * detail));
  view.smooth = !moves && area_ < 4 * kHeavy;
  view.line = std::max(0.5F, 0.5F * look.scale * scale.x * detail);
  view.ground = look.paint(Tone::kPanel);
  const Drawn wanted{shown_->view, level_, camera_, view, int(look.theme)};
  const bool exact = !ImGui::GetStyle().AntiAliasedFill;  // shapes are asked for, not a picture
  if (wanted != drawn_ || picture_.drawn() == 0) {
    scene_ = session::sceneOf(*shown_->space, *shown_->view, level_, camera_);
    view.rotation = scene_.rotation;
    view.centre = scene_.centre;
    view.pixels = pixels * scale.x * detail / scene_.radius;
    view.depth = 4 * (1 + camera_.explode);
    std::vector<views::Box> lit, veiled;
    for (auto box = scene_.boxes.rbegin(); box != scene_.boxes.rend(); ++box) {
      const BoxPaints paints = paintsOf(look, *shown_->space, *box);
      (box->role == SceneBox::Role::kVeil ? veiled : lit)
          .push_back({box->from, box->to, paints.fill, paints.edge, box->hidden});
    }
    if (picture_.draw(lit, veiled, view)) drawn_ = wanted;
    area_ = picture_.area() / (detail * detail);
  }
  ImGui::PushClipRect(at, {at.x + size.x, at.y + size.y}, true);
  if (exact || picture_.problem()) {
    drawBoxes(look, *shown_->space, scene_, middle, pixels);
  } else {
    ImGui::GetWindowDrawList()->AddImage(ImTextureRef(picture_.texture()), at, {at.x + size.x, at.y + size.y}, {0, 1},
                                         {1, 0});
  }
  const bool cut = level_ >= 0 && level_ < int(shown_->view->partitions.size());
  drawAxisLabels(look, *shown_->space, scene_,
                 cut ? &shown_->view->partitions[std::size_t(level_)].chosenPart.bounds : nullptr, middle, pixels);
  ImGui::PopClipRect();
  if (picture_.problem()) drawSecond(look, say(look, words::kNoPicture, *picture_.problem()));
}

void IterationSpacePanel::steer(PanelContext& context, ImVec2 middle, float pixels) {
  const ImGuiIO& io = ImGui::GetIO();
  const float scale = context.look.scale;
  const bool turning = ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left);
  if (turning) {
    dragged_ = true;
    session::turn(camera_, io.MouseDelta.x / scale, io.MouseDelta.y / scale);
  }
  const ImVec2 mouse = {(io.MousePos.x - middle.x) / pixels * scene_.radius,
                        (middle.y - io.MousePos.y) / pixels * scene_.radius};
  if (ImGui::IsItemHovered() && !turning) {
    const int at = scene_.at(mouse.x, mouse.y);
    const SceneBox* box = at < 0 ? nullptr : &scene_.boxes[std::size_t(at)];
    if (box != nullptr && box->level >= int(shown_->space->levels().size())) box = nullptr;
    if (box != nullptr && box->level >= 0) showTip(context.look, nameOf(context.look, box->level, box->child));
    if (box != nullptr && box->level >= 0 && ImGui::IsMouseReleased(ImGuiMouseButton_Left) && !dragged_ &&
        ImGui::IsItemDeactivated()) {
      choose(context, box->level, box->child);
    }
    if (io.MouseWheel != 0) {
      if (io.KeyCtrl) {
        camera_.zoom = std::clamp(camera_.zoom * std::pow(1.15F, io.MouseWheel), 0.3F, 20.0F);
      } else {
        showLevel(context, level_ + (io.MouseWheel > 0 ? 1 : -1));
      }
    }
    ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);  // the panel doesn't scroll
  }
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) dragged_ = false;

  constexpr ImGuiInputFlags kKeys = ImGuiInputFlags_RouteFocused | ImGuiInputFlags_Repeat;
  constexpr float kStep = 12;
  auto pressed = [&](ImGuiKeyChord keys) { return ImGui::Shortcut(keys, kKeys); };
  if (pressed(ImGuiMod_Shift | ImGuiKey_LeftArrow)) session::turn(camera_, -kStep, 0);
  if (pressed(ImGuiMod_Shift | ImGuiKey_RightArrow)) session::turn(camera_, kStep, 0);
  if (pressed(ImGuiMod_Shift | ImGuiKey_UpArrow)) session::turn(camera_, 0, -kStep);
  if (pressed(ImGuiMod_Shift | ImGuiKey_DownArrow)) session::turn(camera_, 0, kStep);
  if (pressed(ImGuiMod_Shift | ImGuiKey_PageDown)) showLevel(context, level_ + 1);
  if (pressed(ImGuiMod_Shift | ImGuiKey_PageUp)) showLevel(context, level_ - 1);
  if (pressed(ImGuiMod_Shift | ImGuiKey_Home)) camera_ = {};
}

void IterationSpacePanel::drawSliders(PanelContext& context) {
  const Look& look = context.look;
  auto slider = [&](const char* name, auto draw) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(name);
    ImGui::SameLine(0, look.px(4));
    ImGui::SetNextItemWidth(look.px(50));
    draw();
  };
  ImGui::PushFont(nullptr, window::kSecondarySize);
  slider(look.say(words::kExplode), [&] {
    float percent = camera_.explode * 100;
    if (ImGui::SliderFloat("##explode", &percent, 0, 200, "%.0f %%", ImGuiSliderFlags_AlwaysClamp))
      camera_.explode = percent / 100;
  });
  for (std::size_t d = 0; d < 3; ++d) {
    const session::SpaceAxis& axis = shown_->space->axes()[d];
    if (axis.extent <= 1) continue;
    flowOn(context.look, look.px(88));
    ImGui::PushID(int(d));
    slider(say(look, words::kCut, axis.name).c_str(), [&] {
      const std::int64_t least = 0, most = axis.extent - 1;
      ImGui::SliderScalar("##cut", ImGuiDataType_S64, &camera_.cut[d], &least, &most, "%lld",
                          ImGuiSliderFlags_AlwaysClamp);
    });
    setItemTip(look, look.say(words::kCutHint));
    ImGui::PopID();
  }
  flowOn(context.look, look.px(52));
  if (window::smallButton(fmt::format("{}###reset", look.say(words::kReset)).c_str())) camera_ = {};
  ImGui::PopFont();
}

std::string IterationSpacePanel::nameOf(const Look& look, int level, std::int64_t child) const {
  const SpaceLevel& l = shown_->space->levels()[std::size_t(level)];
  switch (l.kind) {
    case Kind::kBlocks: return say(look, words::kBlock, child);
    case Kind::kWarps: return say(look, words::kWarp, child);
    case Kind::kLanes: return say(look, words::kLane, child);
    case Kind::kLoop: break;
  }
  return fmt::format("{} = {}", l.name, child);
}

void IterationSpacePanel::drawLevels(PanelContext& context) {
  const Look& look = context.look;
  const IterationSpace& space = *shown_->space;
  const float choice = look.px(80), chip = look.px(26);
  ImGui::PushFont(nullptr, window::kSecondarySize);
  const float room = ImGui::GetContentRegionAvail().x;
  auto row = [&](int level, Tone tone, const std::string& words, bool chosen) {
    const bool lettered = level >= 0;
    ImGui::PushID(level);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = look.px(18);
    const bool clicked = ImGui::Selectable("##level", chosen, ImGuiSelectableFlags_None, {room - choice, height});
    if (ImGui::CalcTextSize(words.c_str()).x > room - choice - chip) setItemTip(look, words);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    if (lettered) {
      const float inset = look.px(1.5F);
      drawToneChip(look, {at.x, at.y + inset}, {at.x + look.px(20), at.y + height - inset}, tone);
    }
    const float before = lettered ? chip : 0;
    draw->AddText({at.x + before, at.y + (height - ImGui::GetFontSize()) / 2},
                  look.paint(chosen ? Tone::kText : Tone::kTextSecond),
                  ellipsized(words, room - choice - look.px(4) - before).c_str());
    if (clicked) showLevel(context, level);
    ImGui::PopID();
  };
  row(-1, Tone::kGhost, wholeText(look, space), level_ < 0);
  for (int l = 0; l < int(space.levels().size()); ++l) {
    const SpaceLevel& level = space.levels()[std::size_t(l)];
    const float y = ImGui::GetCursorPosY();
    row(l, toneOf(level), cutText(look, space, *shown_->view, l), level_ == l);
    const float next = ImGui::GetCursorPosY();
    ImGui::SameLine(room - choice);
    ImGui::SetCursorPosY(y - look.px(1));
    ImGui::PushID(l);
    std::int64_t value = path_[std::size_t(l)];
    ImGui::PushStyleVarY(ImGuiStyleVar_FramePadding, look.px(2));
    if (drawNumber(context.look, "##child", "", value, 0, level.count, 72)) choose(context, l, value);
    ImGui::PopStyleVar();
    ImGui::PopID();
    ImGui::SetCursorPosY(next);
  }
  ImGui::PopFont();
  drawNotes(look, space, *shown_->view, level_);
}

}  // namespace loom::panels
