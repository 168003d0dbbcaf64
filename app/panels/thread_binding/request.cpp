#include "app/panels/thread_binding/request.h"

#include <fmt/format.h>
#include <imgui.h>

#include "app/panels/thread_binding/clusters.h"
#include "app/panels/thread_binding/lanes.h"
#include "app/panels/thread_binding/lines.h"
#include "app/panels/thread_binding/words.h"
#include "app/session/session.h"
#include "app/ui/look.h"
#include "app/ui/markdown.h"
#include "app/ui/number_field.h"
#include "app/ui/quantity_text.h"
#include "app/ui/small_button.h"
#include "app/ui/text.h"
#include "app/ui/tone_heading.h"
#include "core/device/cluster_places.h"

namespace loom::panels {

namespace words = text::binding;
using session::BoundStatement;
using window::Tone;

namespace {

// What the same statement costs in the state compared with; empty: nothing is compared.
std::string againstText(const PanelContext& context, const BoundStatement& shown) {
  const window::Look& look = context.look;
  const session::Session& session = *context.session;
  if (session.comparison().node() < 0 || !shown.against) return "";
  const int number = session.navigation().history().node(session.comparison().node()).number;
  if (!shown.againstView) return say(look, words::kNotInOther, number);
  const auto& request = shown.againstView->request;
  if (!request) return "";
  if (request->phases.empty()) return say(look, words::kOtherSectors, number, request->sectors, request->needed);
  return say(look, words::kOtherBanks, number, request->shared.ways, request->shared.wavefronts);
}

// The drawing of one frame.
class RequestCost {
 public:
  RequestCost(PanelContext& context, const BoundStatement& shown, float width, bool current,
              pictures::BankReplay& replay)
      : context_(context),
        look_(context.look),
        shown_(shown),
        binding_(*shown.binding),
        view_(shown.view),
        access_(binding_.accesses().accesses[std::size_t(shown.choice.access)]),
        lane_(int(shown.choice.thread % layout::kLanes)),
        isOfWarpgroup_(model::warpsTogether(*access_.statement) > 1),
        width_(width),
        current_(current),
        replay_(replay) {}

  RequestClicks draw() {
    if (view_.lines) {
      drawLines(*view_.lines);
      drawParts();
    } else if (access_.agent == device::Agent::CopyEngine && access_.tile) {
      drawSecond(look_, say(look_, words::kBoxGlobal, access_.tile->rows, access_.tile->columns));
      drawParts();
    } else if (!view_.request) {
      drawSecond(look_, noRequestText());
    } else if (!view_.request->phases.empty()) {
      drawBanks(*view_.request);
      drawParts();
    } else {
      drawSectors(*view_.request);
    }
    if (const std::string other = againstText(context_, shown_); !other.empty()) {
      ImGui::PushStyleColor(ImGuiCol_Text, look_.paint(Tone::kChanged));
      drawWrapped(other);
      ImGui::PopStyleColor();
    }
    return clicks_;
  }

 private:
  // Why the warp asks for nothing.
  std::string noRequestText() const {
    switch (view_.noRequest.value_or(session::NoRequest::kUnknown)) {
      case session::NoRequest::kFragment: return look_.say(isOfWarpgroup_ ? words::kInWarpgroup : words::kInFragment);
      case session::NoRequest::kOwn: return say(look_, words::kLocal, access_.buffer->name);
      case session::NoRequest::kBeside: return say(look_, words::kNotByThreads, access_.buffer->name);
      case session::NoRequest::kIdle: return say(look_, words::kNoLane, shown_.choice.thread / layout::kLanes);
      case session::NoRequest::kUnknown: return say(look_, words::kRequestUnknown, access_.buffer->name);
    }
    return "";
  }

  // Which block of the cluster asks for which part of a tile, and who gets it.
  void drawParts() {
    if (!view_.cluster) return;
    if (view_.cluster->slices) {
      drawHeading(look_, Tone::kShared, look_.say(words::kClusterSlices));
      pictures::clusterTiles(look_, "clusterTiles", *view_.cluster, shown_.choice.block, width_);
      drawSecond(look_, look_.say(words::kSlicesNote));
      return;
    }
    std::int64_t rows = 0;
    const auto own = std::uint64_t{1} << device::rankInCluster(binding_.kernel(), shown_.choice.block);
    for (const model::ClusterPart& p : view_.cluster->parts) rows += (p.receivers & own) != 0 ? p.rows : 0;
    drawHeading(look_, Tone::kShared, say(look_, words::kClusterTile, rows, access_.tile->columns));
    pictures::clusterTiles(look_, "clusterTiles", *view_.cluster, shown_.choice.block, width_);
    drawSecond(look_, look_.say(words::kClusterNote));
  }

  // What is said with its meaning in the hover.
  void drawTerm(const std::string& text, const text::Text& hint, bool first) {
    ImGui::PushFont(nullptr, window::kSecondarySize);
    if (!first) flowOn(look_, ImGui::CalcTextSize(text.c_str()).x);
    ImGui::PopFont();
    drawSecond(look_, text);
    setItemTip(look_, look_.say(hint));
  }

  // What hardware beside the threads reads or writes by swizzled lines.
  void drawLines(const session::SharedLines& lines) {
    const bool byProducts = lines.agent == device::Agent::TensorCore;
    drawHeading(look_, Tone::kShared,
                say(look_, byProducts ? words::kDescriptor : words::kBoxShared, access_.buffer->name));
    drawTerm(say(look_, words::kStart, numberText(lines.start)), words::kStartHint, true);
    drawTerm(say(look_, words::kSpanOf, lines.span), words::kSpanHint, false);
    drawTerm(say(look_, words::kGroupOf8, numberText(lines.group)), words::kGroupHint, false);
    if (lines.slab > 0) drawTerm(say(look_, words::kSlabOf, numberText(lines.slab)), words::kSlabHint, false);
    pictures::sharedLines(look_, "sharedLines", lines, width_);
    drawSecond(look_, look_.say(words::kLinesNote));
    if (!byProducts) return;
    const auto ways = [&](int n) {
      return n <= 1 ? std::string(look_.say(words::kNoConflict)) : say(look_, words::kWaysBrief, n);
    };
    drawSecond(look_, say(look_, words::kWaysOfLines, ways(lines.ways), ways(lines.plainWays)));
  }

  // The picture of the banks, and what it comes to.
  void drawWavefronts(const char* id, const session::RequestPicture& request, float height,
                      pictures::BankReplay* replay) {
    pictures::banks(look_, id, request, width_, height, replay);
    if (replay != nullptr && pictures::drawReplay(look_, request, width_, *replay)) context_.wake();
    drawSecond(look_,
               say(look_, words::kWavefronts, request.shared.wavefronts, request.shared.phases, request.requests));
  }

  void drawBanks(const session::RequestPicture& request) {
    const int ways = request.shared.ways;
    drawHeading(look_, Tone::kShared,
                ways <= 1 ? say(look_, words::kBanksFree, access_.buffer->name)
                          : say(look_, words::kBanks, access_.buffer->name, ways));
    const float height = pictures::wavefrontHeight(look_, request);  // padded or not, a wavefront takes as long
    drawWavefronts("banks", request, height, &replay_);
    drawSecond(look_, std::string(look_.say(words::kBankAxis)) + (ways > 1 ? look_.say(words::kBankRed) : ""));
    if (pictures::namesRows(look_, request, height)) drawSecond(look_, look_.say(words::kRowLanes));
    drawSwizzled(ways, height);
    if (!view_.padded) return;
    const auto& padded = *view_.padded;
    ImGui::Dummy({0, look_.px(4)});
    const int left = padded.request.shared.ways;
    const std::string pitch = bytesText(double(padded.padding.padded * access_.bytes));
    drawHeading(look_, left <= 1 ? say(look_, words::kPaddedFree, padded.padding.padded, pitch)
                                 : say(look_, words::kPadded, padded.padding.padded, pitch, left));
    drawWavefronts("padded", padded.request, height, nullptr);
    if (left >= ways) {
      drawSecond(look_, look_.say(words::kPadNoHelp));
      return;
    }
    // What is shown belongs to the state that the step is applied to.
    ImGui::BeginDisabled(!current_);
    clicks_.pad = window::smallButton(fmt::format("{}###pad", look_.say(words::kPad)).c_str());
    setItemTip(look_, padded.padding.step);
    ImGui::EndDisabled();
  }

  // The same read with its rows swizzled, or, where they are, without.
  void drawSwizzled(int ways, float height) {
    if (!view_.swizzled) return;
    const session::SwizzledRequest& other = *view_.swizzled;
    const int left = other.request.shared.ways;
    if (!other.isSwizzled && left >= ways) return;
    ImGui::Dummy({0, look_.px(4)});
    drawHeading(look_, left <= 1
                           ? say(look_, other.isSwizzled ? words::kPlainFree : words::kSwizzledFree, other.span)
                           : say(look_, other.isSwizzled ? words::kPlainWays : words::kSwizzledWays, other.span, left));
    drawWavefronts("swizzled", other.request, height, nullptr);
    drawSecond(look_, look_.say(words::kSwizzleNote));
    if (other.step.empty()) return;
    ImGui::BeginDisabled(!current_);
    clicks_.swizzle = window::smallButton(fmt::format("{}###swizzle", look_.say(words::kSwizzle)).c_str());
    setItemTip(look_, other.step);
    ImGui::EndDisabled();
  }

  void drawSectors(const session::RequestPicture& request) {
    drawHeading(look_, Tone::kGlobal,
                request.usedShare() >= 1 ? say(look_, words::kSectors, request.sectors, request.needed)
                                         : say(look_, words::kSectorsPartly, request.sectors, bytesText(request.used),
                                               request.needed, fmt::format("{:.3g}", 100 * request.usedShare())));
    const int more = pictures::sectors(look_, "sectors", request, lane_, width_);
    if (more > 0) drawSecond(look_, say(look_, words::kMoreLines, more));
    drawSecond(look_, say(look_, words::kSectorLines, access_.buffer->name));
  }

  PanelContext& context_;
  const window::Look& look_;
  const BoundStatement& shown_;
  const session::ThreadBinding& binding_;
  const session::BindingView& view_;
  const model::Access& access_;
  const int lane_;
  const bool isOfWarpgroup_;  // whether a warpgroup executes the statement together
  const float width_;         // px
  const bool current_;
  pictures::BankReplay& replay_;
  RequestClicks clicks_;
};

}  // namespace

bool isOfBanks(const session::BindingView& view) {
  return view.lines || (view.request && !view.request->phases.empty());
}

RequestClicks drawRequestCost(PanelContext& context, const BoundStatement& shown, float width, bool current,
                              pictures::BankReplay& replay) {
  return RequestCost(context, shown, width, current, replay).draw();
}

}  // namespace loom::panels
