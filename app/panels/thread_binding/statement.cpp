#include "app/panels/thread_binding/statement.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/panels/lesson/view/pointer_target.h"
#include "app/panels/thread_binding/labels.h"
#include "app/panels/thread_binding/lanes.h"
#include "app/panels/thread_binding/request.h"
#include "app/panels/thread_binding/tiles.h"
#include "app/panels/thread_binding/words.h"
#include "app/session/session.h"
#include "app/ui/labelled_id.h"
#include "app/ui/look.h"
#include "app/ui/markdown.h"
#include "app/ui/number_field.h"
#include "app/ui/quantity_text.h"
#include "app/ui/short_step.h"
#include "app/ui/small_button.h"
#include "app/ui/text.h"
#include "app/ui/tone_heading.h"
#include "app/widgets/lesson_highlight.h"
#include "app/widgets/role_text.h"
#include "core/device/cluster_places.h"

namespace loom::panels {

namespace words = text::binding;
using session::BindingChoice;
using session::BoundStatement;
using session::TouchedPicture;
using window::Tone;

namespace {

// The drawing of one frame, picture by picture.
class Pictures {
 public:
  Pictures(PanelContext& context, const BoundStatement& shown, const BindingChoice& asked, bool current,
           StatementParts& parts)
      : context_(context),
        look_(context.look),
        shown_(shown),
        asked_(asked),
        current_(current),
        parts_(parts),
        binding_(*shown.binding),
        view_(shown.view),
        access_(binding_.accesses().accesses[std::size_t(shown.choice.access)]),
        warp_(int(shown.choice.thread / layout::kLanes)),
        lane_(int(shown.choice.thread % layout::kLanes)),
        lit_(context.spotlight ? context.spotlight->in("threads") : nullptr) {}

  PictureClicks draw() {
    // As many pictures beside each other as have room, the same width each. Grid and block stay side by side: one is
    // the inside of the other.
    const float room = ImGui::GetContentRegionAvail().x;
    const int across = std::max(1, int(room / look_.px(270)));
    narrow_ = across == 1;
    if (!beginColumns("outer", room, std::max(2, across))) return {};
    drawGrid();
    drawBlock();
    if (narrow_) {
      ImGui::EndTable();
      parts_.waves.drawStrip(context_, std::max(look_.px(40), room - look_.px(14)));
      const float from = ImGui::GetCursorPosY();
      parts_.waves.drawWords(context_);  // over the whole width: half of it holds too few words
      keepHeight(from, kWaveLines);
      ImGui::Dummy({0, look_.px(6)});
      if (!beginColumns("inner", room, 1)) return {};
    }
    const bool lanes = view_.lanes && !view_.lanes->rows.empty();
    if (narrow_) {  // what it costs first: the rest is below
      drawRequest();
      if (lanes) drawLanes();
      drawElements();
      drawOthers();
    } else {
      drawElements();
      drawOthers();
      if (lanes) drawLanes();
    }
    if (view_.fragment) drawFragment();
    if (!narrow_) drawRequest();
    ImGui::EndTable();
    return std::move(use_);
  }

 private:
  bool beginColumns(const char* id, float room, int columns) {
    width_ = room / float(columns) - look_.px(14);
    return ImGui::BeginTable(id, columns, ImGuiTableFlags_SizingStretchSame);
  }

  void begin(const char* id) {
    ImGui::TableNextColumn();
    ImGui::PushID(id);
    corner_ = ImGui::GetCursorScreenPos();
    picture_ = id;
  }

  // Where the part begins, counted from the top of all that scrolls.
  float contentY() const { return corner_.y - ImGui::GetWindowPos().y + ImGui::GetScrollY(); }

  // Room for as many second lines from `from` on, also where there are fewer: what is below keeps its place.
  void keepHeight(float from, int lines) const {
    const float line = look_.px(window::kSecondarySize), gap = ImGui::GetStyle().ItemSpacing.y;
    const float left = from + float(lines) * line + gap - ImGui::GetCursorPosY();
    if (left > gap) ImGui::Dummy({0, left - gap});
  }

  // What the lesson points at is lit, and scrolled to where it was opened.
  void end() {
    if (lit_ && lit_->part == picture_) {
      context_.spotlight->mark(corner_, {corner_.x + width_, ImGui::GetCursorScreenPos().y});
      const bool there = lit_->buffer.empty() || (access_.buffer->name == lit_->buffer && access_.write == lit_->write);
      if (there && context_.spotlight->opened("threads")) {
        ImGui::SetScrollFromPosY(corner_.y - ImGui::GetWindowPos().y, 0);
        context_.spotlight->shown();
      }
      if (const float moved = there ? context_.spotlight->movedTo(contentY()) : 0; moved != 0) {
        ImGui::SetScrollY(ImGui::GetScrollY() + moved);
      }
    }
    ImGui::Dummy({0, look_.px(8)});
    ImGui::PopID();
  }

  // A click changes one thing of what is asked for, which may be ahead of what is shown.
  void wantBlock(std::int64_t block) {
    use_.wanted = asked_;
    use_.wanted->block = block;
  }
  void wantWarp(std::int64_t warp) {
    use_.wanted = asked_;
    use_.wanted->thread = warp * layout::kLanes + asked_.thread % layout::kLanes;
  }
  void wantLane(int lane) {
    use_.wanted = asked_;
    use_.wanted->thread = asked_.thread / layout::kLanes * layout::kLanes + lane;
  }

  void drawGrid() {
    begin("grid");
    const std::int64_t blocks = binding_.kernel().blocks();
    drawHeading(look_, Tone::kBlock, blocks == 1 ? look_.say(words::kGridOne) : say(look_, words::kGrid, blocks));
    const bool folds = binding_.blocks().byResult && !pictures::folded(look_, binding_.blocks(), width_).byResult;
    drawSecond(look_, look_.say(folds                        ? words::kByResultInTurn
                                : binding_.blocks().byResult ? words::kByResult
                                                             : words::kByNumber));
    if (auto block = pictures::numbers(look_, "blocks", binding_.blocks(), blocks, shown_.choice.block, Tone::kBlock,
                                       width_, shown_.marks.blocks, parts_.waves.painted(), &parts_.zoom)) {
      wantBlock(*block);
    }
    drawCluster();
    if (parts_.waves.painted() != nullptr && parts_.waves.painted()->count() > 1)
      drawSecond(look_, look_.say(words::kWavesPainted));
    if (const session::BlockWaves* waves = parts_.waves.withTiles()) {
      drawSecond(look_, look_.say(words::kTilesOfTurns));
      if (auto block = pictures::tilesOfTurns(look_, *waves, shown_.choice.block, std::min(width_, look_.px(208))))
        wantBlock(*block);
    }
    parts_.waves.drawSwitch(context_);
    if (!narrow_) {
      parts_.waves.drawStrip(context_, width_);
      parts_.waves.drawWords(context_);
    }
    end();
  }

  // Which cluster the block is in; nothing without clusters.
  void drawCluster() {
    const device::Kernel& k = binding_.kernel();
    if (k.blocksOfCluster() < 2) return;
    const std::int64_t block = shown_.choice.block;
    drawSecond(look_, say(look_, words::kClusters, k.cluster[0], k.cluster[1], k.cluster[2], block,
                          device::rankInCluster(k, block), device::clusterOf(k, block)));
  }

  void drawBlock() {
    begin("block");
    const BindingChoice& choice = shown_.choice;
    const std::int64_t warps = binding_.warpCount(), threads = binding_.kernel().threads();
    drawMarkedHeading(look_, Tone::kThreadY, say(look_, words::kBlockHead, choice.block));
    const bool whole = threads == warps * layout::kLanes;
    drawSecond(look_, whole && isOfWarpgroups() ? say(look_, words::kWarpgroups, warps)
                      : whole                   ? say(look_, words::kBlockOf, warps)
                                                : say(look_, words::kBlockPartly, threads, warps));
    if (auto chosen = pictures::numbers(look_, "warps", binding_.warps(), warps, warp_, Tone::kThreadY, width_,
                                        shown_.marks.warps)) {
      wantWarp(*chosen);
    }
    if (binding_.roles().size() > 1)
      for (const model::WarpRole& role : binding_.roles()) drawSecond(look_, roleText(look_, role));
    drawSecond(look_, say(look_, words::kActive, warp_, __builtin_popcount(view_.active)));
    if (auto chosen = pictures::lanes(look_, "lanes", view_.active, lane_, shown_.marks.lanes, width_))
      wantLane(*chosen);
    if (!view_.activeKnown) drawSecond(look_, look_.say(words::kGuardUnknown));
    end();
  }

  void drawElements() {
    begin("elements");
    const session::BufferRows& shape = view_.shape;
    drawHeading(look_, toneOf(access_.memory),
                shape.fragments
                    ? say(look_, isOfWarpgroup() ? words::kTouchedSums : words::kTouchedFragments, access_.buffer->name,
                          shape.columns, view_.fragment ? view_.fragment->rows() : 0,
                          view_.fragment ? view_.fragment->columns() : 0)
                    : say(look_, words::kTouched, access_.buffer->name, shape.rows, shape.columns) +
                          (shape.pitch != shape.columns ? ", " + say(look_, words::kPitch, shape.pitch) : ""));
    drawCountedBy();
    // What is said of the picture stands beside it, where it leaves room.
    const bool heat = shown_.touches && !shown_.touches->unknown;
    const bool beside = narrow_ && view_.touched.columns > 0 && width_ > look_.px(290) && (heat || !view_.unknown);
    if (!beside) countElements();
    const float side = std::min(width_, look_.px(beside ? 150 : 208));
    // The words say it: an empty square would be taken for a buffer that nobody touches.
    if (!heat && view_.unknown) return end();
    if (auto clicked =
            heat ? pictures::heat(look_, "elements", *shown_.touches, toneOf(access_.memory), shown_.element, side)
                 : pictures::touched(look_, "elements", view_.touched, shown_.element, side)) {
      use_.wanted = asked_;
      use_.element = BoundStatement::Element{clicked->first, clicked->second};
    }
    if (beside) {
      ImGui::SameLine(0, look_.px(10));
      ImGui::BeginGroup();
      countElements();
    }
    const std::int64_t cellRows = heat ? shown_.touches->heat.cellRows : view_.touched.cellRows;
    const std::int64_t cellColumns = heat ? shown_.touches->heat.cellColumns : view_.touched.cellColumns;
    if (cellRows * cellColumns > 1) drawSecond(look_, say(look_, words::kCell, cellRows, cellColumns));
    drawOwners(beside ? std::max(look_.px(60), corner_.x + width_ - ImGui::GetCursorScreenPos().x) : width_);
    if (beside) ImGui::EndGroup();
    end();
  }

  // What the same block, warp and lane touch of the statement's other buffers, small; a click shows one whole.
  void drawOthers() {
    if (shown_.buffers.empty()) return;
    begin("others");
    drawHeading(look_, say(look_, words::kOthersOf, access_.blockName));
    const float side = look_.px(84), gap = look_.px(12);
    const int across = std::max(1, int((width_ + gap) / (side + gap)));
    for (std::size_t i = 0; i < shown_.buffers.size(); ++i) {
      const session::StatementBuffer& other = shown_.buffers[i];
      const model::Access& access = binding_.accesses().accesses[std::size_t(other.access)];
      if (i % std::size_t(across) != 0) ImGui::SameLine(0, gap);
      ImGui::PushID(other.access);
      ImGui::BeginGroup();
      const float left = ImGui::GetCursorPosX();
      const bool clicked = pictures::touched(look_, "other", other.touched, std::nullopt, side).has_value();
      drawToneLetter(look_, toneOf(access.memory));
      drawSecond(look_, ellipsized(access.buffer->name, side - (ImGui::GetCursorPosX() - left)));
      drawSecond(look_, look_.say(access.write ? words::kWrittenBuffer : words::kReadBuffer));
      ImGui::EndGroup();
      setItemTip(look_, otherText(access, other));
      ImGui::PopID();
      if (!clicked) continue;
      use_.wanted = asked_;
      use_.wanted->access = other.access;
    }
    end();
  }

  std::string otherText(const model::Access& access, const session::StatementBuffer& other) const {
    std::string text = say(look_, access.write ? words::kWrites : words::kReads, access.blockName, access.buffer->name);
    text += "\n" + say(look_, words::kOfTheBlock, shown_.choice.block, countText(double(other.blockElements)));
    text += "\n" + say(look_, words::kOfTheWarp, warp_, countText(double(other.warpElements)));
    if (!access.tile) text += "\n" + say(look_, words::kOfTheLane, lane_, countText(double(other.laneElements)));
    return text + "\n" + look_.say(words::kOtherHelp);
  }

  void drawOwners(float width) {
    const OwnersPart::Use use = parts_.owners.draw(context_, shown_, width);
    if (use.element) {
      use_.wanted = asked_;
      use_.element = use.element;
    } else if (use.owner) {
      use_.wanted = asked_;
      use_.wanted->block = use.owner->block;
      use_.wanted->thread = use.owner->thread + (access_.tile ? asked_.thread % layout::kLanes : 0);
    }
  }

  // Who touches the elements, or how often somebody does.
  void drawCountedBy() {
    auto label = [&](std::optional<model::Scope> by) {
      return by ? say(look_, words::kHowOften, scopeText(look_, shown_.choice, *by))
                : std::string(look_.say(words::kWhoTouches));
    };
    const float width = std::min(width_, look_.px(208));
    ImGui::SetNextItemWidth(width);
    const float room = width - ImGui::GetFrameHeight() - 2 * ImGui::GetStyle().FramePadding.x;
    if (!ImGui::BeginCombo("##counted", ellipsized(label(shown_.countedBy), room).c_str())) return;
    auto row = [&](const char* id, std::optional<model::Scope> by) {
      if (ImGui::Selectable(window::windowName(label(by).c_str(), id).c_str(), by == shown_.countedBy))
        use_.countedBy = by;
    };
    row("who", std::nullopt);
    // A wmma tile is its warp's as a whole.
    if (!access_.tile) row("lane", model::Scope::Lane);
    row("warp", model::Scope::Warp);
    row("block", model::Scope::Block);
    row("grid", model::Scope::Grid);
    ImGui::EndCombo();
  }

  // Behind the colour that the picture has for them.
  void drawCount(ImU32 colour, const std::string& text) {
    const float side = std::floor(0.7F * look_.px(window::kSecondarySize)), line = look_.px(window::kSecondarySize + 3);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float top = at.y + std::floor((line - side) / 2);
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, top}, {at.x + side, top + side}, colour);
    ImGui::Dummy({side, line});
    ImGui::SameLine();
    drawSecond(look_, text);
  }

  void countElements() {
    if (shown_.touches) {
      for (const std::string& line : touchLines(look_, *shown_.touches, view_.shape.fragments)) drawSecond(look_, line);
    } else if (view_.unknown) {
      drawSecond(look_, say(look_, words::kUnknown, provenanceText(look_, view_.unknown->message)));
    } else {
      drawSecond(look_, look_.say(!view_.shape.fragments ? words::kElementsOf
                                  : isOfWarpgroup()      ? words::kSumsOf
                                                         : words::kFragmentsOf));
      const auto& choice = shown_.choice;
      const auto warp = choice.thread / layout::kLanes;
      drawCount(pictures::touchedColour(look_, TouchedPicture::kBlock),
                say(look_, words::kOfTheBlock, choice.block, countText(double(view_.blockElements))));
      drawCount(pictures::touchedColour(look_, TouchedPicture::kWarp),
                say(look_, words::kOfTheWarp, warp, countText(double(view_.warpElements))));
      if (access_.tile) return;
      drawCount(pictures::touchedColour(look_, TouchedPicture::kLane),
                say(look_, words::kOfTheLane, lane_, countText(double(view_.laneElements))));
    }
  }

  void drawLanes() {
    begin("lanes");
    drawMarkedHeading(look_, Tone::kThreadX, look_.say(words::kLanesOf));
    if (auto chosen = pictures::laneElements(look_, "laneElements", *view_.lanes, lane_, width_)) wantLane(*chosen);
    drawSecond(look_, say(look_, words::kLaneTouches, lane_, binding_.laneText(shown_.choice)));
    end();
  }

  void drawFragment() {
    begin("fragment");
    const FragmentClick click = parts_.fragment.draw(context_, view_, int(shown_.choice.thread), width_, current_);
    if (click.lane) wantLane(*click.lane);
    if (click.warp) wantWarp(*click.warp);
    end();
  }

  void drawRequest() {
    begin(isOfBanks(view_) ? "banks" : "sectors");
    const RequestClicks clicks = drawRequestCost(context_, shown_, width_, current_, parts_.replay);
    use_.pad = clicks.pad;
    use_.swizzle = clicks.swizzle;
    end();
  }

  // Whether a warpgroup executes the chosen statement, and any of the kernel's.
  bool isOfWarpgroup() const { return model::warpsTogether(*access_.statement) > 1; }
  bool isOfWarpgroups() const {
    return std::ranges::any_of(binding_.accesses().accesses,
                               [](const model::Access& a) { return model::warpsTogether(*a.statement) > 1; });
  }

  static constexpr int kWaveLines = 4;

  PanelContext& context_;
  const window::Look& look_;
  const BoundStatement& shown_;
  const BindingChoice& asked_;
  const bool current_;
  StatementParts& parts_;
  const session::ThreadBinding& binding_;
  const session::BindingView& view_;
  const model::Access& access_;
  const int warp_, lane_;
  const session::PointerTarget* lit_;
  bool narrow_ = false;  // one picture across
  float width_ = 0;      // of a picture
  ImVec2 corner_;
  const char* picture_ = "";
  PictureClicks use_;
};

}  // namespace

PictureClicks drawStatementPictures(PanelContext& context, const BoundStatement& shown, const BindingChoice& asked,
                                    bool current, StatementParts& parts) {
  return Pictures(context, shown, asked, current, parts).draw();
}

}  // namespace loom::panels
