#pragma once

#include <imgui.h>

#include <string>

#include "core/document/bench.h"
#include "core/document/history.h"

namespace loom::window {
struct Look;
}
namespace loom::model {
struct Rate;
}
namespace loom::session {
class Session;
struct PerformanceView;
}  // namespace loom::session

/// Texts on states (programs after some steps of the schedule), their times, and the figures of the performance model.
/// A state is given by its index `node` in the history, which must have it.
namespace loom::panels {

struct PanelContext;

/// Returns a number with three or four digits: "0.180", "26.00", "837.2", "9282"; above 9999 with all digits before the
/// point.
std::string figureText(double value);
/// Returns a share (0 to 1) in percent, without the sign: "26.00"; with three decimals below 1 %, and "<0.001" below
/// 0.001 %, for 0, too.
std::string percentText(double share);
/// Returns the label of a model's figure in the current language. Labels such as "global → shared" are translated part
/// by part; unknown labels are returned unchanged.
std::string figureLabel(const window::Look& look, const std::string& label);
/// Returns the predicted time and what it was predicted from, the machine code or the program as written: "86.7 µs
/// (machine code)". `view` must have an estimate.
std::string predictedText(const window::Look& look, const session::PerformanceView& view);
/// Returns a sentence if the predicted time differs from the measured one by more than 18 % of the latter
/// (session::modelErrorOf); empty if not, if either is unknown, or if the time was measured on another device than that
/// of `view`. `timed` may be null.
std::string modelErrorText(const window::Look& look, const session::PerformanceView& view,
                           const document::KnownTime* timed);
/// Returns the word, in the user's language, that says whether a rate of the device was "measured" or is "stated" by
/// the vendor.
const char* rateWord(const window::Look& look, const model::Rate& rate);
/// Returns the name that the user gave to the state, or else its step, abbreviated; for the first state, which has no
/// step, a word for the start.
std::string stateTitle(const window::Look& look, const document::Node& node);
/// Returns the number and the title of a state and, for a state on a branch, the first step of the branch: "50
/// storage_align(X_shared, 0) · after 5: split(k, 8)".
std::string stateLabel(const window::Look& look, const document::History& history, int node);
/// Returns the name of a state where states are compared: the name that the user has given it, or else the title of the
/// lesson's chapter that ends with it, or else, and for the start, its step (`stateTitle`).
std::string comparedTitle(const window::Look& look, const session::Session& session, int node);
/// Returns a short text for a state: "state 12", the number of steps that lead to it; or "chapter 4" for a state that
/// ends a lesson's chapter and has no name of its own, since chapters that begin at the start may end at states of
/// equal number.
std::string stateNumber(const window::Look& look, const session::Session& session, int node);
/// Returns a state's title and number where states are compared: "A ring of four slots · chapter 4"; `stateLabel` for a
/// state that ends no chapter or has a name of its own.
std::string comparedLabel(const window::Look& look, const session::Session& session, int node);
/// Returns the measured or recorded time of a state for use after its name, which may be the same on two branches:
/// ", 85.5 µs"; empty without such a time.
std::string timeAfterName(const session::Session& session, int node);
/// Returns where a result comes from: "recorded: NVIDIA H200, 2026-11-20" (it came with the program), or "measured
/// here: …".
std::string originText(const window::Look& look, gpu::ResultOrigin from, const std::string& device,
                       const std::string& date);
/// Returns where a time comes from, "recorded: NVIDIA H200, 2026-11-20"; empty if `timed` has no result.
std::string originText(const window::Look& look, const document::KnownTime& timed);

/// Returns the prediction for a state without a time: "not measured; the model predicts ≈ 21.5 µs for NVIDIA H200, from
/// its machine code". Starts the prediction if needed; empty until it is done. Also empty for a state with a time,
/// unless that was taken on another device than the chosen one.
std::string predictionText(const window::Look& look, const session::Session& session, int node);

/// Returns whether two different states are compared and the panel that is drawn shows the current one of them. False
/// while a step is previewed.
bool comparesStates(const session::Session& session);
/// Returns a figure with its earlier value: "32 KiB (was 16 KiB)". Returns `now` alone if both texts are equal, or if
/// `was` is empty.
std::string withPreviousValue(const window::Look& look, const std::string& now, const std::string& was);
/// Draws a line, in the colour of changes, that says that a figure is `what` in another state. `node` is that state; −1
/// stands for the state compared with, which must exist.
void drawComparedValue(const PanelContext& context, const std::string& what, int node = -1);

}  // namespace loom::panels
