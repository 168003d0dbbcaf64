#include "app/widgets/advice_list.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "app/panels/memory/words.h"
#include "app/panels/performance/view/performance.h"
#include "app/session/proposals.h"
#include "app/session/shown_model.h"
#include "app/ui/labelled_id.h"
#include "app/ui/look.h"
#include "app/ui/markdown.h"
#include "app/ui/quantity_text.h"
#include "app/ui/short_step.h"
#include "app/ui/small_button.h"
#include "app/ui/text.h"
#include "app/ui/time_text.h"
#include "app/widgets/advice_words.h"
#include "app/widgets/pipeline_words.h"
#include "app/widgets/preview_strip.h"
#include "core/script/line_diff.h"

namespace loom::panels {

namespace tries = text::advice;
namespace words = text::memory;

namespace {

struct AdviceWords {
  const char* code;
  const text::Text& what;
  const text::Text& help;
};
const AdviceWords* wordsOf(const model::Advice& a) {
  static constexpr AdviceWords kAll[] = {{"bank_conflicts", words::kConflictAdvice, words::kConflictHelp},
                                         {"scattered_access", words::kScatteredAdvice, words::kScatteredHelp},
                                         {"idle_lanes", words::kIdleAdvice, words::kIdleHelp},
                                         {"repeated_work", words::kRepeatedAdvice, words::kRepeatedHelp},
                                         {"few_blocks", words::kFewBlocksAdvice, words::kFewBlocksHelp},
                                         {"last_wave", tries::kLastWave, tries::kLastWaveHelp},
                                         {"few_warps", tries::kFewWarps, tries::kFewWarpsHelp},
                                         {"one_thread", words::kOneThreadAdvice, words::kOneThreadHelp},
                                         {"small_block", words::kSmallBlockAdvice, words::kSmallBlockHelp}};
  for (const AdviceWords& known : kAll)
    if (a.code == known.code) return &known;
  return nullptr;
}

const words::Busiest* busiestOf(const model::Advice& a) {
  for (const words::Busiest& known : words::kBusiest)
    if (a.code == "busiest" && a.subject == known.subject) return &known;
  return nullptr;
}

const tries::PipelineWords* pipelineOf(const model::Advice& a) {
  for (const tries::PipelineWords& known : tries::kPipelines)
    if (a.code == "pipeline" && a.subject == known.subject) return &known;
  return nullptr;
}

double numberOf(const model::Advice& a, const char* key) {
  const auto found = a.numbers.find(key);
  return found == a.numbers.end() ? 0 : found->second;
}

std::string helpText(const window::Look& look, const model::Advice& a) {
  if (const auto* busiest = busiestOf(a)) return look.say(busiest->help);
  if (const auto* pipeline = pipelineOf(a)) {
    const double bytes = numberOf(a, "bytes");
    if (a.subject == std::string_view("ring") || (numberOf(a, "old") <= 0 && bytes <= 0))
      return look.say(pipeline->help);
    const std::string why =
        numberOf(a, "old") > 0 ? look.say(tries::kNoAsync) : say(look, tries::kOddCopy, fmt::format("{:.0f}", bytes));
    return a.subject == std::string_view("registers") ? why : look.say(pipeline->help) + std::string(" ") + why;
  }
  const AdviceWords* known = wordsOf(a);
  if (known == nullptr) return "";
  if (a.code == "scattered_access" && numberOf(a, "copy") > 0) return look.say(words::kScatteredCopyHelp);
  if (a.code != "idle_lanes") return look.say(known->help);
  const int axis = int(numberOf(a, "axis"));
  if (axis < 0) return look.say(words::kGuardedHelp);
  return say(look, known->help, std::string("threadIdx.") + "xyz"[axis % 3]);
}

// Whether its text ends with what it costs.
bool tellsTime(const model::Advice& a) {
  return (wordsOf(a) != nullptr || pipelineOf(a) != nullptr) && a.microseconds >= 0.05 &&
         numberOf(a, "predicted") > 0 && a.code != "one_thread";
}

// The lines that do something: those that only name loops and blocks are told by the hover, and so are lines after
// the first ones of a long step.
std::string stepText(const window::Look& look, const std::string& lines) {
  constexpr int kMost = 6;
  std::string text;
  int count = 0;
  for (const std::string& line : script::splitLines(lines)) {
    const bool names = line.find("= sch.get_") != std::string::npos;
    if (!names && ++count <= kMost) text += (text.empty() ? "" : "\n") + withoutDefaults(line);
  }
  if (count > kMost) text += "\n" + say(look, tries::kMoreLines, count - kMost);
  return text;
}

const tries::MoveWords& wordsOf(tune::PipelineMove move) {
  static_assert(std::size(tries::kMoves) == std::size_t(tune::PipelineMove::MmaSync) + 1);
  return tries::kMoves[std::size_t(move)];
}

// "Overlap copies with products + asynchronous copies"; empty for a step of no pipeline.
std::string movesText(const window::Look& look, const tune::CandidateStep& step) {
  std::string text;
  for (const tune::PipelineMove move : step.moves)
    text += (text.empty() ? "" : " + ") + std::string(look.say(wordsOf(move).name));
  return text;
}

// What the moves are, a sentence for each.
std::string explanation(const window::Look& look, const tune::CandidateStep& step) {
  std::string text;
  for (const tune::PipelineMove move : step.moves)
    text += (text.empty() ? "" : "\n") + std::string(look.say(wordsOf(move).what));
  return text;
}

// "3 slots · shared memory of a block 36 KiB → 54 KiB · registers of a thread 80 → 72"; what stays is left out.
std::string costText(const window::Look& look, const session::Proposal& p) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : " · ") + part; };
  if (p.step.slots > 1) add(say(look, tries::kSlotCount, p.step.slots));
  if (p.sharedBefore != p.sharedAfter)
    add(say(look, tries::kSharedCost, bytesText(double(p.sharedBefore)), bytesText(double(p.sharedAfter))));
  if (p.registersBefore != p.registersAfter) add(say(look, tries::kRegisterCost, p.registersBefore, p.registersAfter));
  return text;
}

}  // namespace

std::string adviceText(const window::Look& look, const model::Advice& a) {
  auto value = [&](const char* key) { return fmt::format("{:.3g}", numberOf(a, key)); };
  if (const auto* busiest = busiestOf(a))
    return say(look, busiest->what, fmt::format("{:.0f}", numberOf(a, "percent")));
  const auto* pipeline = pipelineOf(a);
  const AdviceWords* known = wordsOf(a);
  if (known == nullptr && pipeline == nullptr) return a.message;
  std::string text;
  if (pipeline != nullptr) {
    const auto clocks = [&](const char* key) { return fmt::format("{:.0f}", numberOf(a, key)); };
    text = a.microseconds > 0 ? say(look, pipeline->exposed, clocks("exposed"), clocks("clocks"))
                              : std::string(look.say(pipeline->covered));
  } else if (a.code == "bank_conflicts") {
    const bool write = numberOf(a, "write") > 0;
    text = say(look, known->what, a.subject, value("ways"), look.say(write ? words::kWritten : words::kRead));
  } else if (a.code == "scattered_access") {
    text = say(look, known->what, a.subject, value("sectors"), value("needed"));
  } else if (a.code == "idle_lanes") {
    text = say(look, known->what, a.subject, value("lanes"));
  } else if (a.code == "repeated_work") {
    text = say(look, known->what, a.subject, fmt::format("{:.0f}", numberOf(a, "threads")));
  } else if (a.code == "last_wave") {
    text = say(look, known->what, value("last"), value("slots"));
  } else if (a.code == "few_warps") {
    text = say(look, known->what, value("warps"), value("most"),
               look.say(a.subject == "registers" ? tries::kRegisters : tries::kSharedMemory));
  } else if (a.code == "few_blocks") {
    text = say(look, known->what, value("blocks"), value("multiprocessors"));
  } else {
    text = say(look, known->what, value("threads"));
  }
  const double predicted = numberOf(a, "predicted");
  if (!tellsTime(a)) return text;
  return say(look, words::kCosts, text, timeText(std::min(a.microseconds, predicted)), timeText(predicted));
}

bool AdviceList::previews(const PanelContext& context) const {
  const session::PreviewedStep* preview = context.session->preview().step();
  return !lines_.empty() && preview != nullptr && preview->lines == lines_;
}

bool AdviceList::draw(PanelContext& context, const session::ShownModel& shown, bool helps) {
  const window::Look& look = context.look;
  told_.clear();
  if (!shown.isFinal()) {
    drawSecond(look, look.say(words::kWaits));
    return false;
  }
  if (!previews(context)) model_ = shown.model();
  const std::vector<model::Advice>& advice = model_->advice;
  bool applied = false;
  std::vector<std::string> texts;
  for (const model::Advice& a : advice) texts.push_back(adviceText(look, a));
  if (std::count_if(advice.begin(), advice.end(), tellsTime) > 1) drawSecond(look, look.say(words::kEachAlone));
  applied = drawTogether(context, shown);
  for (std::size_t i = 0; i < advice.size() && !applied; ++i) {
    const model::Advice& a = advice[i];
    if (!helps && a.code == "busiest") continue;  // stands there as a budget already
    if (!helps && a.code == "pipeline" && a.microseconds <= 0 && !isHelped(context, shown, a)) continue;
    // Accesses of one buffer that cost alike are told once.
    if (std::find(texts.begin(), texts.begin() + std::ptrdiff_t(i), texts[i]) != texts.begin() + std::ptrdiff_t(i))
      continue;
    const auto times = std::count(texts.begin(), texts.end(), texts[i]);
    ImGui::PushFont(nullptr, window::kSecondarySize);
    drawWrapped(times > 1 ? say(look, words::kTimesOver, texts[i], times) : texts[i]);
    ImGui::SetItemTooltip("%s", look.tell(a.message).c_str());
    ImGui::PopFont();
    if (const std::string help = helpText(look, a); helps && !help.empty()) drawSecond(look, help);
    ImGui::PushID(int(i));
    applied = drawHelp(context, shown, a, helps);
    ImGui::PopID();
    ImGui::Dummy({0, look.px(3)});
  }
  if (!applied && !helps) follow(context);
  if (!applied && helps) applied = drawFastest(context, shown);
  return applied;
}

// Advice on the state before, or on a program that another panel previews, isn't for the current state.
bool AdviceList::isOfState(const PanelContext& context, const session::ShownModel& shown) const {
  return shown.isCurrent() && (context.session->preview().step() == nullptr || previews(context));
}

// Whether a step is proposed against it.
bool AdviceList::isHelped(const PanelContext& context, const session::ShownModel& shown,
                          const model::Advice& advice) const {
  const auto proposals = isOfState(context, shown) ? context.session->proposals().proposals() : nullptr;
  const session::AdviceTrial* help = proposals ? proposals->against(advice) : nullptr;
  return help != nullptr && help->proposal >= 0;
}

// Whether this frame has drawn the proposal; from now on it has.
bool AdviceList::wasTold(int proposal) {
  if (std::find(told_.begin(), told_.end(), proposal) != told_.end()) return true;
  told_.push_back(proposal);
  return false;
}

// The steps against several of the findings, as one.
bool AdviceList::drawTogether(PanelContext& context, const session::ShownModel& shown) {
  const window::Look& look = context.look;
  const auto proposals = isOfState(context, shown) ? context.session->proposals().proposals() : nullptr;
  if (!proposals) return false;
  const auto joint = std::find_if(proposals->offered.begin(), proposals->offered.end(),
                                  [](const session::Proposal& p) { return p.step.joint; });
  if (joint == proposals->offered.end()) return false;
  wasTold(int(joint - proposals->offered.begin()));
  ImGui::PushFont(nullptr, window::kSecondarySize);
  drawWrapped(look.say(tries::kTogether));
  ImGui::PopFont();
  ImGui::PushID("together");
  const bool applied = drawProposal(context, shown, *joint);
  ImGui::PopID();
  ImGui::Dummy({0, look.px(3)});
  return applied;
}

// The step that helps against it most, or that none does.
bool AdviceList::drawHelp(PanelContext& context, const session::ShownModel& shown, const model::Advice& advice,
                          bool helps) {
  const window::Look& look = context.look;
  const session::Session& session = *context.session;
  if (!isOfState(context, shown)) return false;
  const auto proposals = session.proposals().proposals();
  const session::AdviceTrial* help = proposals ? proposals->against(advice) : nullptr;
  if (help != nullptr && help->proposal >= 0 && wasTold(help->proposal)) {
    if (helps) drawSecond(look, look.say(tries::kSameAbove));
    return false;
  }
  if (help != nullptr && help->proposal >= 0)
    return drawProposal(context, shown, proposals->offered[std::size_t(help->proposal)]);
  if (!helps) return false;
  if (help == nullptr || !proposals->done) {
    const auto [done, of] = session.proposals().progress();
    if (of > done) drawSecond(look, say(look, tries::kTrying, done, of));
    if (of > 0 && of == done) drawSecond(look, look.say(tries::kExecutingBest));
  } else if (help->tried > 0) {
    drawSecond(look, say(look, proposals->best.empty() ? tries::kNoneHelps : tries::kNoneAgainst, help->tried));
  } else {
    drawSecond(look, look.say(tries::kNothingToTry));
  }
  return false;
}

bool AdviceList::drawFastest(PanelContext& context, const session::ShownModel& shown) {
  const window::Look& look = context.look;
  const auto proposals = isOfState(context, shown) ? context.session->proposals().proposals() : nullptr;
  bool applied = false;
  if (isOfState(context, shown) && context.session->proposals().isLeftOut()) {
    drawSecond(look, look.say(tries::kNotSearched));
    if (window::smallButton(window::windowName(look.say(tries::kSearchHere), "searchhere").c_str()))
      context.session->proposals().searchHere();
  }
  if (proposals && proposals->done && proposals->before > 0) {
    drawHeading(look, look.say(tries::kFaster));
    drawSecond(look, say(look, proposals->best.empty() ? tries::kNoneFaster : tries::kBestOf, proposals->predicted,
                         proposals->steps));
    bool repeats = false;
    for (const int index : proposals->best) {
      if (applied) break;
      if (wasTold(index)) {
        repeats = true;
        continue;
      }
      ImGui::PushID(1000 + index);
      applied = drawProposal(context, shown, proposals->offered[std::size_t(index)]);
      ImGui::PopID();
      ImGui::Dummy({0, look.px(3)});
    }
    if (!applied && repeats) drawSecond(look, look.say(tries::kToldAbove));
    if (!applied && !proposals->best.empty()) drawSecond(look, look.say(tries::kExecuted));
    if (!applied && proposals->wrong > 0) drawSecond(look, say(look, tries::kWrong, proposals->wrong));
  }
  if (!applied) follow(context);
  return applied;
}

bool AdviceList::drawProposal(PanelContext& context, const session::ShownModel& shown,
                              const session::Proposal& proposal) {
  const window::Look& look = context.look;
  ImGui::BeginDisabled(!shown.isCurrent());
  const bool applied = drawButton(context, proposal);
  ImGui::EndDisabled();
  if (applied) return true;
  ImGui::SameLine();
  ImGui::BeginGroup();
  if (const std::string moves = movesText(look, proposal.step); !moves.empty()) {
    ImGui::PushFont(nullptr, window::kSecondarySize);
    drawWrapped(moves);
    ImGui::PopFont();
    ImGui::SetItemTooltip("%s", explanation(look, proposal.step).c_str());
  }
  ImGui::PushFont(look.fonts.code, window::kUnitSize);
  drawWrapped(stepText(look, proposal.step.step));
  ImGui::PopFont();
  std::string effect = effectText(
      look, {session::performanceOf(*shown.model()).device, proposal.before, proposal.after, proposal.basis});
  if (proposal.step.edited >= 0) {
    const int number = context.session->navigation().history().node(proposal.step.edited).number;
    const std::size_t more = script::splitLines(proposal.step.step).size() - 1;
    effect =
        (more > 0 ? say(look, tries::kInPlaces, number, more) : say(look, tries::kInPlace, number)) + " · " + effect;
  }
  drawSecond(look, effect);
  if (const std::string cost = costText(look, proposal); !proposal.step.moves.empty() && !cost.empty())
    drawSecond(look, cost);
  ImGui::EndGroup();
  return false;
}

bool AdviceList::drawButton(PanelContext& context, const session::Proposal& proposal) {
  const window::Look& look = context.look;
  const bool clicked = window::smallButton(fmt::format("{}###apply", look.say(words::kApply)).c_str());
  if (clicked) {
    hovered_.reset();
    const session::Proposal chosen = proposal;  // it belongs to the state that is left now
    if (previews(context)) context.session->preview().end();
    lines_.clear();
    context.session->edits().apply(chosen);
    return true;
  }
  if (!ImGui::IsItemHovered() && !(ImGui::GetIO().NavVisible && ImGui::IsItemFocused())) return false;
  // Beside the mouse: a line of its own would move the button away from it.
  hovered_ = proposal.step;
  std::string text = proposal.step.lines;
  if (proposal.step.edited >= 0) {
    const int number = context.session->navigation().history().node(proposal.step.edited).number;
    text = say(look, tries::kBranch, number) + "\n" + proposal.step.step;
  }
  if (previews(context)) text += "\n" + previewOutcome(look, *context.session);
  ImGui::SetTooltip("%s", text.c_str());
  return false;
}

// What the mouse is on is previewed; off it, what was previewed before. Where the preview moves the button away from a
// mouse at rest, it stays.
void AdviceList::follow(PanelContext& context) {
  session::Session& session = *context.session;
  const std::optional<tune::CandidateStep> hovered = std::exchange(hovered_, std::nullopt);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (hovered) {
    if (hovered->lines == lines_) return;
    const session::PreviewedStep* now = session.preview().step();
    if (lines_.empty()) outside_ = now && now->at == now->node ? std::optional(now->lines) : std::nullopt;
    lines_ = hovered->lines;
    x_ = mouse.x, y_ = mouse.y;
    session.preview().show(*hovered);
  } else if (!lines_.empty() && (mouse.x != x_ || mouse.y != y_)) {
    leave(context);
  }
}

void AdviceList::leave(PanelContext& context) {
  if (lines_.empty()) return;
  session::Session& session = *context.session;
  const bool ours = previews(context);
  lines_.clear();
  if (!ours) return;
  if (outside_) {
    session.preview().show(*outside_);
  } else {
    session.preview().end();
  }
}

}  // namespace loom::panels
