#include "app/panels/thread_binding/fragment.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/panels/thread_binding/words.h"
#include "app/session/session.h"
#include "app/ui/axis_chip.h"
#include "app/ui/cells.h"
#include "app/ui/choice.h"
#include "app/ui/labelled_id.h"
#include "app/ui/look.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"
#include "app/ui/tone_heading.h"

namespace loom::panels {

namespace words = text::binding;
using session::FragmentPicture;
using window::Look;
using window::Tone;

namespace {

constexpr int kAcross = 2;  // matrices beside each other

float cellSide(const Look& look, int columns, bool addressed, float room) {
  const auto across = float(std::max(16, columns));
  return std::clamp(std::floor(room / (addressed ? 20.0F : across)), look.px(12), look.px(18));
}

// The places of the matrices' cells, in px from the canvas' corner.
struct Places {
  const FragmentPicture& picture;
  float side, head, left, width, height;  // of a cell; of a matrix: above it, left of it, all

  Places(const Look& look, const FragmentPicture& shown, float room) : picture(shown) {
    const bool addressed = !shown.address.empty();
    side = cellSide(look, shown.columns, addressed, room);
    head = addressed ? look.px(15) : 0;
    left = addressed ? std::floor(1.4F * side) : 0;
    width = left + side * float(shown.columns) + (addressed ? std::floor(0.6F * side) : 0);
    height = head + side * float(shown.rows) + (addressed ? look.px(4) : 0);
  }
  int across() const { return std::min(kAcross, picture.matrices); }
  ImVec2 size() const { return {width * float(across()), height * float((picture.matrices + kAcross - 1) / kAcross)}; }
  ImVec2 corner(int matrix) const { return {width * float(matrix % kAcross), height * float(matrix / kAcross)}; }
  float x(int matrix, int column) const { return corner(matrix).x + left + side * float(column); }
  float y(int matrix, int row) const { return corner(matrix).y + head + side * float(row); }
};

// "lane 26, R1 high half: A[14, 5]"
std::string cellText(const Look& look, const FragmentPicture& picture, int matrix, int row, int column) {
  const FragmentPicture::Cell& cell = picture.at(matrix, row, column);
  const std::string element = picture.address.empty()
                                  ? picture.elementText(row, column)
                                  : say(look, words::kMatrix, matrix) + " " + picture.elementText(row, column);
  std::string text = say(look,
                         cell.part < 0    ? words::kHeldBy
                         : cell.part == 0 ? words::kHeldLow
                                          : words::kHeldHigh,
                         cell.lane, cell.number, element);
  if (picture.parts > 2) text = say(look, words::kHeldByte, cell.lane, cell.number, cell.part, element);
  if (!picture.address.empty()) text += "\n" + say(look, words::kRowOf, picture.addressOf(matrix, row));
  return text;
}

}  // namespace

const session::PtxFragment* FragmentPart::ptx() const {
  const auto all = session::ptxFragments();
  return table_ >= 0 && table_ < int(all.size()) ? &all[std::size_t(table_)] : nullptr;
}

const model::FragmentKind* FragmentPart::wmma(const session::BindingView& view) const {
  if (table_ < 0) return &*view.fragment;
  const auto tables = session::ptxFragments().size();
  return std::size_t(table_) < tables ? nullptr : &session::wmmaFragments()[std::size_t(table_) - tables];
}

void FragmentPart::follow(const PanelContext& context, const session::BindingView& view, int warp) {
  const model::FragmentKind* kind = wmma(view);
  if (kind == nullptr) {
    if (of_ != table_) picture_ = Result<FragmentPicture>(fragmentPicture(*ptx()));
    known_ = nullptr;
  } else {
    const auto known = context.session->compilations().fragment(*kind);
    if (of_ == table_ && known == known_ && ofWarp_ == warp) return;
    known_ = known;
    ofWarp_ = warp;
    picture_.reset();
    if (known_ && known_->layout)
      picture_ = session::fragmentPicture(*known_->layout, kind->operand, warp % session::warpsOf(*known_->layout));
    if (known_ && !known_->layout) picture_ = Failure(known_->layout.error());
  }
  of_ = table_;
}

FragmentClick FragmentPart::draw(PanelContext& context, const session::BindingView& view, int thread, float width,
                                 bool current) {
  const Look& look = context.look;
  const int lane = thread % layout::kLanes, warp = thread / layout::kLanes;
  follow(context, view, warp);
  const FragmentPicture* shown = picture_ && *picture_ ? &**picture_ : nullptr;
  const model::FragmentKind* kind = wmma(view);
  const int matrices = shown != nullptr ? shown->matrices : 1;
  const int rows = shown != nullptr ? shown->rows : kind != nullptr ? kind->rows() : 0;
  const int columns = shown != nullptr ? shown->columns : kind != nullptr ? kind->columns() : 0;
  drawHeading(look, Tone::kThreadX,
              ptx() != nullptr && ptx()->matrices > 0 ? say(look, words::kMatrices, rows, columns, matrices)
              : isOfWarpgroup()                       ? say(look, words::kWarpgroupSum, kind->rows(), kind->columns())
                                                      : say(look, words::kFragment, rows, columns));
  drawChoice(context, width);
  follow(context, view, warp);
  if (!picture_ || !*picture_) {
    if (!picture_) ImGui::Dummy({1, cellSide(look, columns, false, width) * float(rows)});  // what is below stays
    drawSecond(look, picture_ ? look.tell(picture_->error().message) : look.say(words::kProbing));
    return {};
  }
  FragmentClick click;
  if (isOfWarpgroup()) click.warp = drawWarps(context, view, warp, width);
  click.lane = drawMatrices(context, lane, width);
  drawWords(context, lane);
  if (isOfWarpgroup()) {
    const FragmentPicture& picture = **picture_;
    if (const int again = wmma(view)->columns() / picture.columns; again > 1)
      drawSecond(look, say(look, words::kColumnsAgain, picture.columns - 1, picture.columns, picture.registers,
                           picture.registers * again - 1));
  }
  if (current) drawMachineCode(context);
  return click;
}

// Whether the picture is of a tile that the four warps of a warpgroup share.
bool FragmentPart::isOfWarpgroup() const {
  return ptx() == nullptr && known_ != nullptr && known_->layout && session::warpsOf(*known_->layout) > 1;
}

// The whole tile: a band for each warp. Gives one that is clicked.
std::optional<std::int64_t> FragmentPart::drawWarps(const PanelContext& context, const session::BindingView& view,
                                                    int warp, float width) const {
  const Look& look = context.look;
  const int warps = session::warpsOf(*known_->layout), each = wmma(view)->rows() / warps;
  const float band = look.px(17), room = std::min(width, look.px(300));
  const pictures::Canvas c = pictures::canvas("warpBands", room, band * float(warps));
  std::optional<std::int64_t> clicked;
  for (int w = 0; w < warps; ++w) {
    const float y = band * float(w);
    const bool mine = w == warp % warps;
    pictures::cell(c, look, 0, y, room, band, look.paint(Tone::kThreadX, mine ? 1.0F : 0.22F),
                   say(look, words::kBandRows, w, w * each, (w + 1) * each - 1),
                   mine ? inkOn(look, Tone::kThreadX) : look.paint(Tone::kText));
    if (!c.hovered || !c.isOver(0, y, room, band)) continue;
    showTip(look, look.say(words::kBandsHint));
    if (c.clicked) clicked = warp / warps * warps + w;
  }
  ImGui::Dummy({0, look.px(2)});
  return clicked;
}

void FragmentPart::drawChoice(const PanelContext& context, float width) {
  const Look& look = context.look;
  const int tables = int(session::ptxFragments().size()), all = tables + int(session::wmmaFragments().size());
  auto label = [&](int table) {
    if (table < 0) return std::string(look.say(words::kOwnFragment));
    return table < tables ? session::ptxFragments()[std::size_t(table)].name()
                          : session::wmmaName(session::wmmaFragments()[std::size_t(table - tables)]);
  };
  const float room = std::min(width, look.px(190));
  ImGui::SetNextItemWidth(room);
  const float text = room - ImGui::GetFrameHeight() - 2 * ImGui::GetStyle().FramePadding.x;
  if (ImGui::BeginCombo("##layout", ellipsized(label(table_), text).c_str(), ImGuiComboFlags_HeightLargest)) {
    for (int table = -1; table < all; ++table) {
      if (table == 0 || table == tables) ImGui::Separator();
      const std::string id = table < 0        ? "own"
                             : table < tables ? session::ptxFragments()[std::size_t(table)].id
                                              : session::wmmaFragments()[std::size_t(table - tables)].kernelName();
      if (ImGui::Selectable(window::windowName(label(table).c_str(), id.c_str()).c_str(), table == table_))
        table_ = table;
    }
    ImGui::EndCombo();
  } else {
    setItemTip(look, look.say(words::kLayoutHint));
  }
  const std::string lanes = window::windowName(look.say(words::kByLane), "bylane"),
                    registers = window::windowName(look.say(words::kByRegister), "byregister");
  const float need = ImGui::CalcTextSize(look.say(words::kByLane)).x +
                     ImGui::CalcTextSize(look.say(words::kByRegister)).x +
                     2 * (ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x);
  if (room + look.px(24) + need <= width) ImGui::SameLine(0, look.px(12));
  if (window::radioButton(look, lanes.c_str(), !byRegister_)) byRegister_ = false;
  setItemTip(look, look.say(words::kByLaneHint));
  ImGui::SameLine(0, look.px(12));
  if (window::radioButton(look, registers.c_str(), byRegister_)) byRegister_ = true;
  setItemTip(look, look.say(words::kByRegisterHint));
}

std::optional<int> FragmentPart::drawMatrices(const PanelContext& context, int lane, float width) const {
  const Look& look = context.look;
  const FragmentPicture& picture = **picture_;
  const Places at(look, picture, width);
  const pictures::Canvas c = pictures::canvas("fragmentLanes", at.size().x, at.size().y);
  const float s = at.side, small = look.px(window::kUnitSize - 1);
  std::optional<int> clicked, under;
  std::string tip;
  auto fill = [&](const FragmentPicture::Cell& cell) {
    if (cell.lane == lane) return look.paint(Tone::kThreadX);
    const float share =
        byRegister_ ? float(cell.number) / float(std::max(1, picture.registers - 1)) : float(cell.lane % 4) / 3;
    return look.paint(Tone::kThreadX, 0.15F + 0.25F * share);
  };
  for (int matrix = 0; matrix < picture.matrices; ++matrix) {
    if (!picture.address.empty()) {
      const std::string name = say(look, words::kMatrix, matrix);
      c.draw->AddText(look.fonts.text, small, {c.at.x + at.x(matrix, 0), c.at.y + at.corner(matrix).y},
                      look.paint(Tone::kTextFaint), name.c_str());
    }
    for (int row = 0; row < picture.rows; ++row) {
      const float y = at.y(matrix, row);
      if (!picture.address.empty()) {
        const float x = at.corner(matrix).x;
        const int giver = picture.addressOf(matrix, row);
        pictures::cell(c, look, x, y, s, s, look.paint(Tone::kShared, giver == lane ? 1.0F : 0.35F),
                       std::to_string(giver), giver == lane ? inkOn(look, Tone::kShared) : look.paint(Tone::kText));
        if (c.hovered && c.isOver(x, y, s, s)) {
          under = giver;
          tip = say(look, words::kGivesAddress, giver, matrix, row);
        }
      }
      for (int column = 0; column < picture.columns; ++column) {
        const FragmentPicture::Cell& cell = picture.at(matrix, row, column);
        const float x = at.x(matrix, column);
        const ImU32 ink = cell.lane == lane ? inkOn(look, Tone::kThreadX) : look.paint(Tone::kText);
        pictures::cell(c, look, x, y, s, s, fill(cell), std::to_string(byRegister_ ? cell.number : cell.lane), ink);
        if (const float line = float(cell.part) / float(picture.parts); byRegister_ && line > 0)
          c.draw->AddRectFilled({c.at.x + x + s * (0.5F - line / 2), c.at.y + y + s - look.px(3.5F)},
                                {c.at.x + x + s * (0.5F + line / 2), c.at.y + y + s - look.px(2.5F)}, ink);
        if (c.hovered && c.isOver(x, y, s, s)) {
          under = cell.lane;
          tip = cellText(look, picture, matrix, row, column);
        }
      }
    }
  }
  if (!under) return std::nullopt;
  // All that the lane under the mouse has.
  for (int matrix = 0; matrix < picture.matrices; ++matrix) {
    for (int row = 0; row < picture.rows; ++row) {
      for (int column = 0; column < picture.columns; ++column)
        if (picture.at(matrix, row, column).lane == *under)
          pictures::outline(c, look, at.x(matrix, column), at.y(matrix, row), s - 1, s - 1);
      if (!picture.address.empty() && picture.addressOf(matrix, row) == *under)
        pictures::outline(c, look, at.corner(matrix).x, at.y(matrix, row), s - 1, s - 1);
    }
  }
  showTip(look, tip);
  if (c.clicked) clicked = under;
  return clicked;
}

void FragmentPart::drawWords(const PanelContext& context, int lane) const {
  const Look& look = context.look;
  std::string held;
  const FragmentPicture& picture = **picture_;
  for (const FragmentPicture::Held& h : picture.heldBy(lane)) {
    held += fmt::format("{}R{} {}{}", held.empty() ? "" : ", ", h.number,
                        picture.address.empty() ? "" : say(look, words::kMatrix, h.matrix) + " ", h.elements);
  }
  drawSecond(look, say(look, words::kLaneTouches, lane, held));
  if (!picture.address.empty()) drawSecond(look, look.say(words::kAddressesLeft));
  drawSecond(look, ptx() != nullptr ? say(look, words::kPtxSection, ptx()->section) : look.tell(known_->note));
}

// What of it the compiler made, as counted in the kernel's machine code; nothing where that isn't known.
void FragmentPart::drawMachineCode(const PanelContext& context) const {
  const Look& look = context.look;
  const auto model = context.session->preview().shownModel(session::ModelBasis::kMachineCode);
  if (!model || !model->machine) return;
  const session::OpcodeCounts counts = session::matrixInstructions(*model->machine);
  // What stands for a warpgroup's product in machine code isn't counted.
  if (counts.empty() && isOfWarpgroup()) return;
  if (counts.empty()) {
    drawSecond(look, look.say(words::kNoMatrixCode));
    return;
  }
  std::string list;
  bool made = ptx() == nullptr;
  for (const auto& [opcode, count] : counts) {
    list += fmt::format("{}{} × {}", list.empty() ? "" : ", ", count, opcode);
    made |= ptx() != nullptr && ptx()->isMadeBy(opcode);
  }
  list = say(look, words::kMatrixCode, list);
  if (!made) list += say(look, words::kNoneOfThem, ptx()->name());
  drawSecond(look, list);
}

}  // namespace loom::panels
