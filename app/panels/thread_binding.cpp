#include "app/panels/thread_binding.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/panels/binding_pictures.h"
#include "app/panels/empty.h"
#include "app/panels/panel_text.h"
#include "app/text/binding.h"
#include "app/text/window.h"
#include "app/window/look.h"
#include "app/workbench/workbench.h"

namespace loom::panels {

namespace words = text::binding;
using window::Tone;
using workbench::BindingChoice;

namespace {

// A letter in its colour: the key that every picture shares with the code.
void chip(const PanelContext& context, Tone tone) {
  const window::Look& look = context.look;
  const char* letter = window::entryOf(tone).letter;
  const float size = look.px(window::kUnitSize);
  const ImVec2 extent = look.fonts.code->CalcTextSizeA(size, FLT_MAX, 0, letter);
  const float pad = look.px(4), height = ImGui::GetTextLineHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + extent.x + 2 * pad, at.y + height}, look.paint(tone),
                                            look.px(2));
  ImGui::GetWindowDrawList()->AddText(look.fonts.code, size, {at.x + pad, at.y + (height - size) / 2},
                                      look.paint(Tone::kPanel), letter);
  ImGui::Dummy({extent.x + 2 * pad, height});
  ImGui::SameLine();
}

void heading(const PanelContext& context, Tone tone, const std::string& text) {
  chip(context, tone);
  drawHeading(context.look, text);
}

Tone toneOf(device::Memory memory) {
  switch (memory) {
    case device::Memory::Global: return Tone::kGlobal;
    case device::Memory::Shared:
    case device::Memory::SharedDynamic: return Tone::kShared;
    default: return Tone::kFragment;
  }
}

std::string nameOf(const PanelContext& context, const model::Access& access) {
  return say(context.look, access.write ? words::kWrites : words::kReads, access.blockName, access.buffer->name);
}

// A number to drag or to type, with its name before it.
bool number(const PanelContext& context, const char* id, const char* name, std::int64_t& value, std::int64_t least,
            std::int64_t count, float width) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(name);
  ImGui::SameLine(0, context.look.px(4));
  ImGui::SetNextItemWidth(context.look.px(width));
  const std::int64_t most = count - 1;
  const std::string format = value < 0 ? context.look.say(words::kAll) : fmt::format("%lld / {}", count);
  const bool changed = ImGui::DragScalar(id, ImGuiDataType_S64, &value, 0.08F, &least, &most, format.c_str());
  value = std::clamp(value, least, most);
  return changed;
}

// Goes on in this row while there is room for `width` more.
void flow(const PanelContext& context, float width) {
  const float end = ImGui::GetItemRectMax().x + context.look.px(12) + width;
  if (end < ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x) ImGui::SameLine(0, context.look.px(12));
}

}  // namespace

void ThreadBindingPanel::draw(PanelContext& context) {
  if (context.workbench == nullptr || context.workbench->target() == nullptr) {
    drawEmpty(context, text::window::kNoProgram);
    return;
  }
  if (!follow(context)) return;
  followMoment(context);
  // What is shown of another state can't be chosen from; it looks as it did, for it is soon gone.
  ImGui::PushStyleVar(ImGuiStyleVar_DisabledAlpha, 1);
  ImGui::BeginDisabled(shown_->from != asked_);
  drawChoice(context);
  ImGui::EndDisabled();
  ImGui::PopStyleVar();
  ImGui::Separator();
  drawPictures(context);
}

bool ThreadBindingPanel::follow(PanelContext& context) {
  workbench::Workbench& bench = *context.workbench;
  auto derived = bench.derived(bench.current());
  const bool kernel = derived && derived->kernel.program && !derived->kernel.program->kernels.empty();
  if (derived && derived != asked_) {
    asked_ = derived;
    if (kernel) {
      next_.ask(
          [derived, assets = bench.options().bench.assets, wanted = choice_, block = block_, buffer = buffer_,
           write = write_] {
            std::shared_ptr<const device::Program> program(derived, &*derived->kernel.program);
            // Files that can't be read are the doctor's affair; here the layout then says that nobody probed it.
            auto probed = model::loadProbed(assets).value_or(std::vector<model::Probed>{});
            auto binding = std::make_shared<const workbench::ThreadBinding>(std::move(program), 0, std::move(probed));
            // The same statement as before, where the state still has it.
            BindingChoice choice = wanted;
            const auto& all = binding->accesses().accesses;
            choice.access = binding->firstAccess();
            for (std::size_t i = 0; i < all.size(); ++i) {
              if (all[i].blockName == block && all[i].buffer->name == buffer && all[i].write == write) {
                choice.access = int(i);
                break;
              }
            }
            choice = binding->clamped(std::move(choice));
            workbench::BindingView view = binding->view(choice);
            return Shown{derived, std::move(binding), std::move(choice), std::move(view), {}, {}};
          },
          bench.options().wake);
    }
  }
  if (auto made = next_.take()) {
    shown_ = std::move(*made);
    choice_ = shown_->choice;
    const auto& all = shown_->binding->accesses().accesses;
    if (!all.empty()) {
      const model::Access& access = all[std::size_t(choice_.access)];
      block_ = access.blockName;
      buffer_ = access.buffer->name;
      write_ = access.write;
    }
  }
  if (derived && !kernel) {
    shown_.reset();
    const std::string why = derived->kernel.problem ? context.look.tell(derived->kernel.problem->message) : "";
    drawSecond(context.look, say(context.look, words::kNoKernel, why));
    return false;
  }
  if (!shown_) {
    drawEmpty(context, text::window::kOpening);
    return false;
  }
  if (shown_->binding->accesses().accesses.empty()) {
    drawEmpty(context, words::kNoAccess);
    return false;
  }
  return true;
}

// The statement and the values of loops that Playback stands on; what one chooses here holds until it goes on.
void ThreadBindingPanel::followMoment(PanelContext& context) {
  const workbench::Moment* moment = context.workbench->moment();
  if (moment == nullptr) followed_.reset();
  if (moment == nullptr || moment->touches.empty() || shown_->from != asked_) return;
  BindingChoice wanted = shown_->binding->ledTo(*moment, choice_);
  if (followed_ && followed_->access == wanted.access && followed_->loops == wanted.loops) return;
  followed_ = wanted;
  if (wanted.access != choice_.access || wanted.loops != choice_.loops) choose(context, std::move(wanted));
}

void ThreadBindingPanel::choose(PanelContext& context, BindingChoice choice, std::optional<Element> element) {
  if (shown_->from != asked_) return;  // another state is under way
  choice_ = shown_->binding->clamped(std::move(choice));
  next_.ask(
      [from = shown_->from, binding = shown_->binding, choice = choice_, element] {
        Shown made{from, binding, choice, binding->view(choice), element, {}};
        if (element) made.owners = binding->owners(choice, element->first, element->second);
        return made;
      },
      context.workbench->options().wake);
}

std::string ThreadBindingPanel::ownersText(const window::Look& look) const {
  if (!shown_->owners) return look.say(words::kPickElement);
  const auto& owners = *shown_->owners;
  if (!owners) return look.tell(owners.error().message);
  const device::Kernel& kernel = shown_->binding->kernel();
  const auto [row, column] = *shown_->element;
  if (!owners->complete) return say(look, words::kOwnersMore, row, column, owners->owners.size());
  std::vector<std::int64_t> blocks;
  for (const model::Owner& o : owners->owners) {
    blocks.push_back(o.block[0] + kernel.grid[0] * (o.block[1] + kernel.grid[1] * o.block[2]));
  }
  std::sort(blocks.begin(), blocks.end());
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  return say(look, words::kOwners, row, column, blocks.size(), owners->owners.size());
}

void ThreadBindingPanel::drawChoice(PanelContext& context) {
  const window::Look& look = context.look;
  const workbench::ThreadBinding& binding = *shown_->binding;
  const auto& all = binding.accesses().accesses;
  BindingChoice wanted = choice_;
  bool changed = false;

  ImGui::SetNextItemWidth(std::min(ImGui::GetContentRegionAvail().x, look.px(300)));
  if (ImGui::BeginCombo("##statement", nameOf(context, all[std::size_t(choice_.access)]).c_str())) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      ImGui::PushID(int(i));
      chip(context, toneOf(all[i].memory));
      if (ImGui::Selectable(nameOf(context, all[i]).c_str(), int(i) == choice_.access)) {
        wanted.access = int(i);
        wanted.loops.clear();
        changed = true;
        context.workbench->selectIds({all[i].block});
      }
      ImGui::PopID();
    }
    ImGui::EndCombo();
  }
  flow(context, look.px(120));
  changed |= number(context, "##block", look.say(words::kBlock), wanted.block, 0, binding.kernel().blocks(), 76);
  flow(context, look.px(120));
  std::int64_t warp = wanted.thread / layout::kLanes, lane = wanted.thread % layout::kLanes;
  bool moved = number(context, "##warp", look.say(words::kWarp), warp, 0, binding.warpCount(), 76);
  flow(context, look.px(120));
  moved |= number(context, "##lane", look.say(words::kLane), lane, 0, layout::kLanes, 76);
  if (moved) {
    wanted.thread = warp * layout::kLanes + lane;
    changed = true;
  }
  for (int loop : all[std::size_t(choice_.access)].loops) {
    const model::LoopInfo& info = binding.accesses().loops[std::size_t(loop)];
    if (info.extent <= 1) continue;
    flow(context, look.px(140));
    auto fixed = wanted.loops.find(loop);
    std::int64_t value = fixed == wanted.loops.end() ? -1 : fixed->second;
    ImGui::PushID(loop);
    if (number(context, "##loop", info.var->name.c_str(), value, -1, info.extent, 64)) {
      if (value < 0) {
        wanted.loops.erase(loop);
      } else {
        wanted.loops[loop] = value;
      }
      changed = true;
    }
    ImGui::SetItemTooltip("%s", look.say(words::kLoopHint));
    ImGui::PopID();
  }
  if (changed) choose(context, std::move(wanted));
}

void ThreadBindingPanel::drawPictures(PanelContext& context) {
  const window::Look& look = context.look;
  if (!ImGui::BeginChild("pictures")) {
    ImGui::EndChild();
    return;
  }
  const workbench::ThreadBinding& binding = *shown_->binding;
  const BindingChoice& choice = shown_->choice;
  const workbench::BindingView& view = shown_->view;
  const model::Access& access = binding.accesses().accesses[std::size_t(choice.access)];
  const device::Kernel& kernel = binding.kernel();
  const int warp = int(choice.thread / layout::kLanes), lane = int(choice.thread % layout::kLanes);
  // As many pictures beside each other as have room, the same width each. Grid and block stay side by side: one is the
  // inside of the other.
  const float room = ImGui::GetContentRegionAvail().x;
  const int across = std::max(1, int(room / look.px(270)));
  float pictureWidth = 0;
  std::optional<BindingChoice> wanted;
  std::optional<Element> element;
  auto want = [&](std::int64_t block, std::int64_t thread) {
    wanted = choice;
    wanted->block = block;
    wanted->thread = thread;
  };
  auto begin = [&](const char* id, int columns) {
    pictureWidth = room / float(columns) - look.px(14);
    return ImGui::BeginTable(id, columns, ImGuiTableFlags_SizingStretchSame);
  };
  if (!begin("outer", std::max(2, across))) {
    ImGui::EndChild();
    return;
  }
  auto next = [&](const char* id) {
    ImGui::TableNextColumn();
    ImGui::PushID(id);
  };
  auto end = [&] {
    ImGui::Dummy({0, look.px(8)});
    ImGui::PopID();
  };

  next("grid");
  heading(context, Tone::kBlock,
          kernel.blocks() == 1 ? look.say(words::kGridOne) : say(look, words::kGrid, kernel.blocks()));
  drawSecond(look, look.say(binding.blocks().byResult ? words::kByResult : words::kByNumber));
  if (auto block = pictures::numbers(look, "blocks", binding.blocks(), kernel.blocks(), choice.block, Tone::kBlock,
                                     pictureWidth)) {
    want(*block, choice.thread);
  }
  end();

  next("block");
  const std::int64_t warps = binding.warpCount();
  heading(context, Tone::kThreadY,
          kernel.threads() == warps * layout::kLanes
              ? say(look, words::kBlockOf, choice.block, warps)
              : say(look, words::kBlockPartly, choice.block, kernel.threads(), warps));
  if (auto chosen = pictures::numbers(look, "warps", binding.warps(), warps, warp, Tone::kThreadY, pictureWidth)) {
    want(choice.block, *chosen * layout::kLanes + lane);
  }
  drawSecond(look, say(look, words::kActive, warp, __builtin_popcount(view.active)));
  if (auto chosen = pictures::lanes(look, "lanes", view.active, lane, pictureWidth)) {
    want(choice.block, std::int64_t(warp) * layout::kLanes + *chosen);
  }
  if (!view.activeKnown) drawSecond(look, look.say(words::kGuardUnknown));
  end();

  if (across == 1) {
    ImGui::EndTable();
    if (!begin("inner", 1)) {
      ImGui::EndChild();
      return;
    }
  }
  next("touched");
  heading(context, toneOf(access.memory),
          say(look, words::kTouched, access.buffer->name, view.shape.rows, view.shape.columns) +
              (view.shape.pitch != view.shape.columns ? ", " + say(look, words::kPitch, view.shape.pitch) : ""));
  if (view.unknown) {
    drawSecond(look, say(look, words::kUnknown, look.tell(view.unknown->message)));
  } else {
    drawSecond(look, access.tile
                         ? say(look, words::kElementsOfTile, view.blockElements, view.warpElements)
                         : say(look, words::kElements, view.blockElements, view.warpElements, view.laneElements));
  }
  if (auto clicked = pictures::touched(look, "elements", view.touched, pictureWidth)) {
    wanted = choice;
    element = Element{clicked->first, clicked->second};
  }
  if (view.touched.cellRows * view.touched.cellColumns > 1) {
    drawSecond(look, say(look, words::kCell, view.touched.cellRows, view.touched.cellColumns));
  }
  drawSecond(look, ownersText(look));
  end();

  if (view.lanes && !view.lanes->rows.empty()) {
    next("execution");
    heading(context, Tone::kThreadX, look.say(words::kLanesOf));
    if (auto chosen = pictures::laneElements(look, "laneElements", *view.lanes, lane, pictureWidth)) {
      want(choice.block, std::int64_t(warp) * layout::kLanes + *chosen);
    }
    drawSecond(look, say(look, words::kLaneTouches, lane, binding.laneText(choice)));
    end();
  }
  if (view.fragment) {
    next("fragment");
    heading(context, Tone::kThreadX, look.say(words::kFragment));
    if (auto chosen = pictures::fragment(look, "fragmentLanes", *view.fragment, lane, pictureWidth)) {
      want(choice.block, std::int64_t(warp) * layout::kLanes + *chosen);
    }
    drawSecond(look, look.tell(view.fragmentNote));
    end();
  }
  next("request");
  if (!view.request) {
    drawSecond(look, say(look, words::kLocal, access.buffer->name));
  } else if (!view.request->phases.empty()) {
    const auto& cost = view.request->shared;
    heading(context, Tone::kShared,
            cost.ways <= 1 ? say(look, words::kBanksFree, access.buffer->name)
                           : say(look, words::kBanks, access.buffer->name, cost.ways));
    pictures::banks(look, "banks", *view.request, pictureWidth);
    drawSecond(look, say(look, words::kWavefronts, cost.wavefronts, cost.phases, view.request->requests));
    drawSecond(look, look.say(words::kBankAxis));
  } else {
    const auto& request = *view.request;
    heading(context, Tone::kGlobal,
            say(look, words::kSectors, request.sectors, request.needed,
                request.sectors > 0 ? 100 * request.needed / request.sectors : 0));
    const int more = pictures::sectors(look, "sectors", request, lane, pictureWidth);
    if (more > 0) drawSecond(look, say(look, words::kMoreLines, more));
    drawSecond(look, say(look, words::kSectorLines, access.buffer->name));
  }
  end();
  ImGui::EndTable();
  ImGui::EndChild();
  if (wanted) choose(context, std::move(*wanted), element);
}

}  // namespace loom::panels
