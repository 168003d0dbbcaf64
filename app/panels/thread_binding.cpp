#include "app/panels/thread_binding.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/notation/quantity_text.h"
#include "app/panels/binding_pictures.h"
#include "app/panels/empty.h"
#include "app/panels/number_field.h"
#include "app/panels/panel_text.h"
#include "app/panels/preview_line.h"
#include "app/panels/rich_text.h"
#include "app/panels/spotlight.h"
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

std::vector<std::string> wavesText(const window::Look& look, const workbench::BlockWaves& waves) {
  std::vector<std::string> lines;
  auto percent = [&](std::int64_t blocks) { return int(100 * double(blocks) / double(waves.slots) + 0.5); };
  if (waves.count() == 1) {
    lines.push_back(say(look, words::kOneWave, waves.blocks, waves.multiprocessors, waves.perMultiprocessor,
                        waves.slots, percent(waves.blocks)));
  } else {
    lines.push_back(say(look, words::kManyWaves, waves.blocks, waves.multiprocessors, waves.perMultiprocessor,
                        waves.slots, fmt::format("{:.2f}", double(waves.blocks) / double(waves.slots)),
                        percent(waves.last())));
  }
  if (waves.unknown) {
    lines.push_back(say(look, words::kWavesUnknown, look.tell(waves.unknown->message)));
  } else if (!waves.reads.empty()) {
    std::string buffers;
    double asked = 0;
    for (const workbench::WaveRead& read : waves.reads) {
      asked += read.asked;
      buffers += fmt::format("{}{} {}", buffers.empty() ? "" : ", ", read.buffer, notation::bytesText(read.distinct));
    }
    if (waves.l2) {
      lines.push_back(say(look, words::kWaveReads, notation::bytesText(asked), notation::bytesText(waves.distinct),
                          buffers, notation::bytesText(*waves.l2),
                          look.say(waves.distinct <= *waves.l2 ? words::kYes : words::kNo)));
    }
  }
  return lines;
}

std::shared_ptr<const workbench::ThreadBinding> bindingOf(const std::shared_ptr<const workbench::Derived>& derived,
                                                          std::vector<model::Probed> probed = {}) {
  if (!derived || !derived->kernel.program || derived->kernel.program->kernels.empty()) return nullptr;
  return std::make_shared<const workbench::ThreadBinding>(
      std::shared_ptr<const device::Program>(derived, &*derived->kernel.program), 0, std::move(probed));
}

// The access by what it does; −1: there is none.
int accessOf(const workbench::ThreadBinding& binding, const std::string& block, const std::string& buffer, bool write) {
  const auto& all = binding.accesses().accesses;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool same = (block.empty() || all[i].blockName == block) && all[i].buffer->name == buffer;
    if (same && all[i].write == write) return int(i);
  }
  return -1;
}

}  // namespace

// In the background: the statement of the choice, as the state compared with has it.
void ThreadBindingPanel::Shown::compare() {
  againstView.reset();
  if (!against || binding->accesses().accesses.empty()) return;
  if (!againstBinding) againstBinding = bindingOf(against);
  if (!againstBinding) return;
  const model::Access& access = binding->accesses().accesses[std::size_t(choice.access)];
  BindingChoice same = choice;
  same.loops.clear();
  same.access = accessOf(*againstBinding, access.blockName, access.buffer->name, access.write);
  if (same.access >= 0) againstView = againstBinding->view(againstBinding->clamped(std::move(same)));
}

// The waves of what is shown, once the device and how many blocks fit on it are known.
void ThreadBindingPanel::followWaves(PanelContext& context) {
  workbench::Workbench& bench = *context.workbench;
  if (auto made = nextWaves_.take()) waves_ = std::move(*made);
  const auto device = bench.modelDevice();
  const auto model = shown_->from == asked_ ? bench.shownModel(workbench::ModelDepth::kWritten) : nullptr;
  if (!device || !model || (wavesOf_ == shown_->binding && wavesModel_ == model)) return;
  if (wavesOf_ != shown_->binding) waves_.reset();
  wavesOf_ = shown_->binding;
  wavesModel_ = model;
  if (!*device || !model->performance.occupancy) {
    waves_.reset();
    return;
  }
  nextWaves_.ask([binding = wavesOf_, model,
                  device] { return workbench::blockWaves(*binding, *model->performance.occupancy, **device); },
                 bench.options().wake);
}

void ThreadBindingPanel::draw(PanelContext& context) {
  if (context.workbench == nullptr || context.workbench->target() == nullptr) {
    drawEmpty(context, text::window::kNoProgram);
    return;
  }
  if (!follow(context)) {
    drawPreviewLine(context);
    return;
  }
  takePointer(context);
  followMoment(context);
  followWaves(context);
  // What is shown of another state can't be chosen from; it looks as it did, for it is soon gone.
  ImGui::PushStyleVar(ImGuiStyleVar_DisabledAlpha, 1);
  ImGui::BeginDisabled(shown_->from != asked_);
  drawChoice(context);
  ImGui::EndDisabled();
  ImGui::PopStyleVar();
  ImGui::Separator();
  drawPictures(context);
  drawPreviewLine(context);
}

// A statement that the lesson points at is chosen.
void ThreadBindingPanel::takePointer(PanelContext& context) {
  const auto* place = context.spotlight ? context.spotlight->in("threads") : nullptr;
  if (place == nullptr || !context.spotlight->opened("threads") || shown_->from != asked_) return;
  if (place->buffer.empty()) return;
  const auto& all = shown_->binding->accesses().accesses;
  const model::Access& now = all[std::size_t(choice_.access)];
  if (now.buffer->name == place->buffer && now.write == place->write) return;
  BindingChoice wanted = choice_;
  wanted.access = accessOf(*shown_->binding, "", place->buffer, place->write);
  if (wanted.access < 0) return;
  wanted.loops.clear();
  block_ = all[std::size_t(wanted.access)].blockName;
  buffer_ = place->buffer;
  write_ = place->write;
  choose(context, std::move(wanted));
}

bool ThreadBindingPanel::follow(PanelContext& context) {
  workbench::Workbench& bench = *context.workbench;
  // A preview's program takes the state's place; while it is being worked out, what was there stays.
  const workbench::Preview* preview = bench.preview();
  const bool waits = preview != nullptr && !preview->derived && !preview->refusal && shown_;
  auto derived = waits ? asked_ : preview && preview->derived ? preview->derived : bench.derived(bench.current());
  const auto against = bench.comparedWith() >= 0 ? bench.derived(bench.comparedWith()) : nullptr;
  const bool kernel = derived && derived->kernel.program && !derived->kernel.program->kernels.empty();
  if (derived && (derived != asked_ || against != against_)) {
    asked_ = derived;
    against_ = against;
    if (kernel) {
      next_.ask(
          [derived, against, assets = bench.options().bench.assets, wanted = choice_, block = block_, buffer = buffer_,
           write = write_] {
            // Files that can't be read are the doctor's affair; here the layout then says that nobody probed it.
            auto binding = bindingOf(derived, model::loadProbed(assets).value_or(std::vector<model::Probed>{}));
            // The same statement as before, where the state still has it.
            BindingChoice choice = wanted;
            const int same = accessOf(*binding, block, buffer, write);
            choice.access = same >= 0 && !block.empty() ? same : binding->firstAccess();
            choice = binding->clamped(std::move(choice));
            workbench::BindingView view = binding->view(choice);
            Shown made{derived, std::move(binding), std::move(choice), std::move(view), {}, {}, against, nullptr, {}};
            made.compare();
            return made;
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
  taken_ = {choice_.block, choice_.thread};
  context.workbench->chooseThread(taken_);
  next_.ask(
      [from = shown_->from, binding = shown_->binding, choice = choice_, element, against = shown_->against,
       other = shown_->againstBinding] {
        Shown made{from, binding, choice, binding->view(choice), element, {}, against, other, {}};
        made.compare();
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

// What the same statement costs in the state compared with; empty: nothing is compared.
std::string ThreadBindingPanel::againstText(const PanelContext& context) const {
  const window::Look& look = context.look;
  const workbench::Workbench& bench = *context.workbench;
  if (bench.comparedWith() < 0 || !shown_->against) return "";
  const int number = bench.history().node(bench.comparedWith()).number;
  if (!shown_->againstView) return say(look, words::kNotInOther, number);
  const auto& request = shown_->againstView->request;
  if (!request) return "";
  if (request->phases.empty()) return say(look, words::kOtherSectors, number, request->sectors, request->needed);
  return say(look, words::kOtherBanks, number, request->shared.ways, request->shared.wavefronts);
}

void ThreadBindingPanel::drawChoice(PanelContext& context) {
  const window::Look& look = context.look;
  const workbench::ThreadBinding& binding = *shown_->binding;
  const auto& all = binding.accesses().accesses;
  BindingChoice wanted = choice_;
  bool changed = false;
  // Another panel has chosen someone else.
  if (const auto& chosen = context.workbench->chosenThread(); chosen != taken_ && shown_->from == asked_) {
    taken_ = chosen;
    wanted.block = chosen.block;
    wanted.thread = chosen.thread;
    changed = wanted.block != choice_.block || wanted.thread != choice_.thread;
  }

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
  flowOn(context, look.px(120));
  changed |= drawNumber(context, "##block", look.say(words::kBlock), wanted.block, 0, binding.kernel().blocks(), 76);
  flowOn(context, look.px(120));
  std::int64_t warp = wanted.thread / layout::kLanes, lane = wanted.thread % layout::kLanes;
  bool moved = drawNumber(context, "##warp", look.say(words::kWarp), warp, 0, binding.warpCount(), 76);
  flowOn(context, look.px(120));
  moved |= drawNumber(context, "##lane", look.say(words::kLane), lane, 0, layout::kLanes, 76);
  if (moved) {
    wanted.thread = warp * layout::kLanes + lane;
    changed = true;
  }
  for (int loop : all[std::size_t(choice_.access)].loops) {
    const model::LoopInfo& info = binding.accesses().loops[std::size_t(loop)];
    if (info.extent <= 1) continue;
    flowOn(context, look.px(140));
    auto fixed = wanted.loops.find(loop);
    std::int64_t value = fixed == wanted.loops.end() ? -1 : fixed->second;
    ImGui::PushID(loop);
    if (drawNumber(context, "##loop", info.var->name.c_str(), value, -1, info.extent, 64)) {
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
  const float strip = previewLineHeight(context);
  const float below = strip > 0 ? strip + ImGui::GetStyle().ItemSpacing.y : 0;
  if (!ImGui::BeginChild("pictures", {0, -below})) {
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
  bool pad = false;
  auto want = [&](std::int64_t block, std::int64_t thread) {
    wanted = choice_;
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
  const auto* lit = context.spotlight ? context.spotlight->in("threads") : nullptr;
  ImVec2 corner;
  const char* picture = "";
  auto next = [&](const char* id) {
    ImGui::TableNextColumn();
    ImGui::PushID(id);
    corner = ImGui::GetCursorScreenPos();
    picture = id;
  };
  // What the lesson points at is lit, and scrolled to where it was opened.
  auto end = [&] {
    if (lit && lit->part == picture) {
      context.spotlight->mark(corner, {corner.x + pictureWidth, ImGui::GetCursorScreenPos().y});
      const bool there = lit->buffer.empty() || (access.buffer->name == lit->buffer && access.write == lit->write);
      if (there && context.spotlight->opened("threads")) {
        ImGui::SetScrollFromPosY(corner.y - ImGui::GetWindowPos().y, 0);
        context.spotlight->shown();
      }
    }
    ImGui::Dummy({0, look.px(8)});
    ImGui::PopID();
  };

  next("grid");
  heading(context, Tone::kBlock,
          kernel.blocks() == 1 ? look.say(words::kGridOne) : say(look, words::kGrid, kernel.blocks()));
  drawSecond(look, look.say(binding.blocks().byResult ? words::kByResult : words::kByNumber));
  const workbench::BlockWaves* waves = waves_ && *waves_ ? &**waves_ : nullptr;
  if (auto block = pictures::numbers(look, "blocks", binding.blocks(), kernel.blocks(), choice.block, Tone::kBlock,
                                     pictureWidth, byWave_ ? waves : nullptr)) {
    want(*block, choice_.thread);
  }
  if (waves != nullptr) {
    ImGui::Checkbox(fmt::format("{}###waves", look.say(words::kWaves)).c_str(), &byWave_);
    ImGui::SetItemTooltip("%s", look.say(words::kWavesHint));
    for (const std::string& line : wavesText(look, *waves)) drawSecond(look, line);
    if (!wavesModel_->performance.registersKnown) drawSecond(look, look.say(words::kWavesAtMost));
  } else if (waves_) {
    drawSecond(look, say(look, words::kNoWaves, look.tell(waves_->error().message)));
  }
  end();

  next("block");
  const std::int64_t warps = binding.warpCount();
  heading(context, Tone::kThreadY,
          kernel.threads() == warps * layout::kLanes
              ? say(look, words::kBlockOf, choice.block, warps)
              : say(look, words::kBlockPartly, choice.block, kernel.threads(), warps));
  if (auto chosen = pictures::numbers(look, "warps", binding.warps(), warps, warp, Tone::kThreadY, pictureWidth)) {
    want(choice_.block, *chosen * layout::kLanes + lane);
  }
  drawSecond(look, say(look, words::kActive, warp, __builtin_popcount(view.active)));
  if (auto chosen = pictures::lanes(look, "lanes", view.active, lane, pictureWidth)) {
    want(choice_.block, std::int64_t(warp) * layout::kLanes + *chosen);
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
  next("elements");
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
    wanted = choice_;
    element = Element{clicked->first, clicked->second};
  }
  if (view.touched.cellRows * view.touched.cellColumns > 1) {
    drawSecond(look, say(look, words::kCell, view.touched.cellRows, view.touched.cellColumns));
  }
  drawSecond(look, ownersText(look));
  end();

  if (view.lanes && !view.lanes->rows.empty()) {
    next("lanes");
    heading(context, Tone::kThreadX, look.say(words::kLanesOf));
    if (auto chosen = pictures::laneElements(look, "laneElements", *view.lanes, lane, pictureWidth)) {
      want(choice_.block, std::int64_t(warp) * layout::kLanes + *chosen);
    }
    drawSecond(look, say(look, words::kLaneTouches, lane, binding.laneText(choice)));
    end();
  }
  if (view.fragment) {
    next("fragment");
    heading(context, Tone::kThreadX, look.say(words::kFragment));
    if (auto chosen = pictures::fragment(look, "fragmentLanes", *view.fragment, lane, pictureWidth)) {
      want(choice_.block, std::int64_t(warp) * layout::kLanes + *chosen);
    }
    drawSecond(look, look.tell(view.fragmentNote));
    end();
  }
  next(view.request && !view.request->phases.empty() ? "banks" : "sectors");
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
    if (view.padded) {
      const auto& padded = *view.padded;
      ImGui::Dummy({0, look.px(4)});
      const int ways = padded.request.shared.ways;
      drawHeading(look, ways <= 1 ? say(look, words::kPaddedFree, padded.padding.padded)
                                  : say(look, words::kPadded, padded.padding.padded, ways));
      pictures::banks(look, "padded", padded.request, pictureWidth);
      drawSecond(look, say(look, words::kWavefronts, padded.request.shared.wavefronts, padded.request.shared.phases,
                           padded.request.requests));
      // What is shown belongs to the state that the step is applied to.
      ImGui::BeginDisabled(shown_->from != asked_);
      pad = ImGui::SmallButton(fmt::format("{}###pad", look.say(words::kPad)).c_str());
      ImGui::SetItemTooltip("%s", padded.padding.step.c_str());
      ImGui::EndDisabled();
    }
  } else {
    const auto& request = *view.request;
    heading(context, Tone::kGlobal,
            say(look, words::kSectors, request.sectors, request.needed,
                request.sectors > 0 ? 100 * request.needed / request.sectors : 0));
    const int more = pictures::sectors(look, "sectors", request, lane, pictureWidth);
    if (more > 0) drawSecond(look, say(look, words::kMoreLines, more));
    drawSecond(look, say(look, words::kSectorLines, access.buffer->name));
  }
  if (const std::string other = againstText(context); !other.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kChanged));
    drawWrapped(other);
    ImGui::PopStyleColor();
  }
  end();
  ImGui::EndTable();
  ImGui::EndChild();
  if (pad) {
    context.workbench->apply(std::string(view.padded->padding.step));
  } else if (wanted) {
    choose(context, std::move(*wanted), element);
  }
}

}  // namespace loom::panels
