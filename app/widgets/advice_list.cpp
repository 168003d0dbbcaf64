#include "app/widgets/advice_list.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <utility>
#include <variant>
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

double numberOf(const model::Advice& a, const char* key) {
  const auto found = a.numbers.find(key);
  return found == a.numbers.end() ? 0 : found->second;
}

const words::Busiest* busiestOf(const model::Advice& a) {
  if (a.code != "busiest") return nullptr;
  if (numberOf(a, "roles") > 0 && a.subject == words::kWaitsOfOneSlot.subject && numberOf(a, "ring") <= 0)
    return &words::kWaitsOfOneSlot;
  if (numberOf(a, "roles") > 0)
    for (const words::Busiest& known : words::kBusiestOfRoles)
      if (a.subject == known.subject) return &known;
  for (const words::Busiest& known : words::kBusiest)
    if (a.subject == known.subject) return &known;
  return nullptr;
}

const tries::PipelineWords* pipelineOf(const model::Advice& a) {
  for (const tries::PipelineWords& known : tries::kPipelines)
    if (a.code == "pipeline" && a.subject == known.subject) return &known;
  return nullptr;
}

std::string helpText(const window::Look& look, const model::Advice& a) {
  if (const auto* busiest = busiestOf(a)) return look.say(busiest->help);
  if (a.code == "warpgroups") return look.say(tries::kWarpgroupsHelp);
  if (const auto* pipeline = pipelineOf(a)) {
    const double bytes = numberOf(a, "bytes");
    if (a.subject == std::string_view("ring") || a.subject == std::string_view("passing") ||
        (numberOf(a, "old") <= 0 && bytes <= 0))
      return look.say(pipeline->help);
    const std::string why =
        numberOf(a, "old") > 0 ? look.say(tries::kNoAsync) : say(look, tries::kOddCopy, fmt::format("{:.0f}", bytes));
    return a.subject == std::string_view("registers") ? why : look.say(pipeline->help) + std::string(" ") + why;
  }
  const AdviceWords* known = wordsOf(a);
  if (known == nullptr) return "";
  if (a.code == "scattered_access" && numberOf(a, "copy") > 0) return look.say(words::kScatteredCopyHelp);
  if (a.code == "few_warps" && numberOf(a, "roles") > 0) return look.say(tries::kFewWarpsOneSlotHelp);
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

// "Overlap copies with products + asynchronous copies"; empty for a step of no pipeline.
std::string movesText(const window::Look& look, const tune::CandidateStep& step) {
  return step.moves.empty() ? "" : look.tell(tune::titleOf(step));
}

// What the moves are, a sentence for each.
std::string explanation(const window::Look& look, const tune::CandidateStep& step) {
  static_assert(std::size(tries::kMoves) == std::size_t(tune::PipelineMove::Cluster) + 1);
  std::string text;
  for (const tune::PipelineMove move : step.moves)
    text += (text.empty() ? "" : "\n") + std::string(look.say(tries::kMoves[std::size_t(move)]));
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

// A line of its own height, cut where there is no room for all of it.
void drawOneLine(const window::Look& look, const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(window::Tone::kTextSecond));
  ImGui::PushFont(nullptr, window::kSecondarySize);
  const std::string shown = ellipsized(text, ImGui::GetContentRegionAvail().x);
  const float line = ImGui::GetTextLineHeight(), top = ImGui::GetCursorScreenPos().y;
  if (top + line > wholeLinesBelow(top, line))
    ImGui::Dummy({0, line});  // the panel's lower edge would cut it
  else
    ImGui::TextUnformatted(shown.c_str());
  ImGui::PopFont();
  ImGui::PopStyleColor();
  if (shown != text) drawWrappedTip(look, text);
}

}  // namespace

std::string adviceText(const window::Look& look, const model::Advice& a) {
  // A whole number in all its digits, in groups; anything else with three.
  const auto value = [&](const char* key) {
    const double number = numberOf(a, key);
    return number == std::round(number) ? notation::numberText(number) : fmt::format("{:.3g}", number);
  };
  if (a.code == "busiest" || a.code == "warpgroups") return look.tellSentence(a.message);
  const auto* pipeline = pipelineOf(a);
  const AdviceWords* known = wordsOf(a);
  if (known == nullptr && pipeline == nullptr) return a.message;
  std::string text;
  if (pipeline != nullptr) {
    const auto clocks = [&](const char* key) { return std::llround(numberOf(a, key)); };
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
    text = say(look, known->what, a.subject, value("threads"));
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

std::string bindingText(const window::Look& look, const std::vector<model::Advice>& advice) {
  const auto busiest = std::find_if(advice.begin(), advice.end(), [](const auto& a) { return a.code == "busiest"; });
  return busiest == advice.end() ? "" : look.tellSentence(busiest->message);
}

void drawBinding(const window::Look& look, const std::vector<model::Advice>& advice) {
  if (const std::string binding = bindingText(look, advice); !binding.empty()) drawOneLine(look, binding);
}

int adviceStepId(const std::string& lines) { return int(std::hash<std::string>{}(lines)&0x7fffffff); }

bool AdviceList::previews(const PanelContext& context) const {
  const session::PreviewedStep* preview = context.session->preview().step();
  return !lines_.empty() && preview != nullptr && preview->lines == lines_;
}

bool AdviceList::draw(PanelContext& context, const session::ShownModel& shown, bool helps) {
  const window::Look& look = context.look;
  if (!shown.isFinal()) {
    drawSecond(look, look.say(words::kWaits));
    return false;
  }
  if (!previews(context)) model_ = shown.model();
  // What binds comes first: the others say how it could be less.
  std::vector<model::Advice> advice = model_->advice;
  std::stable_partition(advice.begin(), advice.end(), [](const auto& a) { return a.code == "busiest"; });
  std::vector<std::string> texts;
  for (const model::Advice& a : advice) texts.push_back(adviceText(look, a));
  collect(context, shown, advice, helps);
  if (std::count_if(advice.begin(), advice.end(), tellsTime) > 1) drawSecond(look, look.say(words::kEachAlone));
  for (std::size_t i = 0; i < advice.size(); ++i) {
    const model::Advice& a = advice[i];
    if (!helps && a.code == "busiest") continue;  // stands there as a budget already
    if (!helps && a.code == "pipeline" && a.microseconds <= 0) continue;
    // Accesses of one buffer that cost alike are told once.
    if (std::find(texts.begin(), texts.begin() + std::ptrdiff_t(i), texts[i]) != texts.begin() + std::ptrdiff_t(i))
      continue;
    const auto times = std::count(texts.begin(), texts.end(), texts[i]);
    ImGui::PushFont(nullptr, window::kSecondarySize);
    drawWrapped(times > 1 ? say(look, words::kTimesOver, texts[i], times) : texts[i]);
    setItemTip(look, look.tellSentence(a.message));
    ImGui::PopFont();
    if (const std::string help = helpText(look, a); helps && !help.empty()) drawSecond(look, help);
    // While nothing is searched there is nothing to tell of it.
    if (helps && isOfState(context, shown) && !context.session->proposals().isLeftOut())
      drawOneLine(look, trialText(context, a));
    ImGui::Dummy({0, look.px(3)});
  }
  const bool applied = drawFound(context, shown, helps);
  if (!applied) follow(context);
  return applied;
}

// Advice on the state before, or on a program that another panel previews, isn't for the current state.
bool AdviceList::isOfState(const PanelContext& context, const session::ShownModel& shown) const {
  return shown.isCurrent() && (context.session->preview().step() == nullptr || previews(context));
}

// Of what binds only what it is: how near the lowest roof is stands above, and helps nobody to choose a step.
std::string AdviceList::againstText(const window::Look& look, const model::Advice& advice) {
  if (advice.code == "busiest" && !advice.message.arguments().empty()) {
    const auto* what = std::get_if<std::shared_ptr<const Message>>(&advice.message.arguments().front());
    if (what != nullptr) return look.tell(**what);
  }
  return adviceText(look, advice);
}

// Takes in what the search has found since. What is in the list stays in its place: a button under the mouse must not
// become another one's.
void AdviceList::collect(const PanelContext& context, const session::ShownModel& shown,
                         const std::vector<model::Advice>& advice, bool helps) {
  const session::Session& session = *context.session;
  if (!isOfState(context, shown)) return;
  const Of of{session.opened(), shown.node(), session::performanceOf(*model_).device, context.look.language};
  if (of_ != of) {
    of_ = of;
    found_.clear();
  }
  const auto proposals = context.session->proposals().proposals();
  if (!proposals) return;
  const auto add = [&](int index, const std::string& against) {
    const session::Proposal& proposal = proposals->offered[std::size_t(index)];
    const auto known = std::find_if(found_.begin(), found_.end(), [&](const Found& found) {
      return found.proposal.step.lines == proposal.step.lines && found.proposal.step.at == proposal.step.at;
    });
    if (known == found_.end()) {
      found_.push_back({proposal, against});
    } else if (known->against.empty()) {
      known->against = against;
    }
  };
  for (int i = 0; i < int(proposals->offered.size()); ++i) {
    if (!proposals->offered[std::size_t(i)].step.joint) continue;
    add(i, context.look.say(tries::kTogether));
    break;
  }
  for (const model::Advice& a : advice) {
    const session::AdviceTrial* trial = proposals->against(a);
    if (trial != nullptr && trial->proposal >= 0)
      add(trial->proposal, say(context.look, tries::kAgainst, againstText(context.look, a)));
  }
  if (!helps || !proposals->done) return;
  for (const int index : proposals->best) add(index, "");
}

// How far the search for steps against it is: always a line, so that nothing below moves while it runs.
std::string AdviceList::trialText(const PanelContext& context, const model::Advice& advice) const {
  const window::Look& look = context.look;
  const session::Session& session = *context.session;
  const auto proposals = context.session->proposals().proposals();
  const session::AdviceTrial* trial = proposals ? proposals->against(advice) : nullptr;
  if (trial != nullptr && trial->proposal >= 0) return look.say(tries::kStandsBelow);
  if (trial == nullptr || !proposals->done) {
    const auto [done, of] = session.proposals().progress();
    if (of > done) return say(look, tries::kTrying, done, of);
    return look.say(of > 0 ? tries::kExecutingBest : tries::kBegins);
  }
  if (trial->tried == 0) return look.say(tries::kNothingToTry);
  return say(look, proposals->best.empty() ? tries::kNoneHelps : tries::kNoneAgainst, trial->tried);
}

bool AdviceList::drawFound(PanelContext& context, const session::ShownModel& shown, bool helps) {
  const window::Look& look = context.look;
  if (!isOfState(context, shown)) return false;
  const auto proposals = context.session->proposals().proposals();
  if (helps && context.session->proposals().isLeftOut()) {
    drawSecond(look, look.say(tries::kNotSearched));
    if (window::smallButton(window::windowName(look.say(tries::kSearchHere), "searchhere").c_str()))
      context.session->proposals().searchHere();
    return false;
  }
  if (helps && (!proposals || proposals->before > 0)) {
    drawHeading(look, look.say(tries::kFaster));
    const bool isDone = proposals && proposals->done;
    drawOneLine(look, !isDone ? look.say(tries::kSearching)
                              : say(look, found_.empty() ? tries::kNoneFaster : tries::kBestOf, proposals->predicted,
                                    proposals->steps));
    setItemTip(look, look.say(tries::kTriedSteps));
    if (isDone && found_.empty()) drawSecond(look, look.say(tries::kBelowError));
  }
  for (const Found& found : found_) {
    ImGui::PushID(adviceStepId(found.proposal.step.lines));
    if (!found.against.empty()) drawSecond(look, found.against);
    const bool applied = drawProposal(context, shown, found.proposal);
    ImGui::PopID();
    if (applied) return true;
    ImGui::Dummy({0, look.px(3)});
  }
  if (!helps || !proposals || !proposals->done) return false;
  if (!found_.empty()) drawSecond(look, look.say(tries::kExecuted));
  if (proposals->wrong > 0) drawSecond(look, say(look, tries::kWrong, proposals->wrong));
  return false;
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
    setItemTip(look, explanation(look, proposal.step));
  }
  ImGui::PushFont(look.fonts.code, window::kUnitSize);
  drawWrapped(stepText(look, proposal.step.step));
  ImGui::PopFont();
  std::string effect = effectText(
      look, {session::performanceOf(*shown.model()).device, proposal.before, proposal.after, proposal.basis});
  if (proposal.step.edited >= 0) {
    const int number = context.session->navigation().history().node(proposal.step.edited).number;
    const int more = session::replacedSteps(context.session->navigation().history(), shown.node(), proposal.step) - 1;
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
  showTip(context.look, text);
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
