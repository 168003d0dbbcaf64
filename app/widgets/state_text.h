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

/// How states, their times and figures are told wherever they stand.
namespace loom::panels {

struct PanelContext;

/// Three digits or so: "0.18", "26.0", "837.2", "9282".
std::string figureText(double value);
/// A share in percent, without the sign; below a thousandth its digits say nothing.
std::string percentText(double share);
/// What a figure of the model is of, in the current language: "issue", "global → shared" part by part.
std::string figureLabel(const window::Look& look, const std::string& label);
/// The model's time and what it was made from: "86.7 µs (machine code)". Requires an estimate.
std::string predictedText(const window::Look& look, const session::PerformanceView& view);
/// A sentence where the model's time is far from the clock's, session::modelErrorOf; empty where it isn't, or nothing
/// is known. `timed` may be null.
std::string modelErrorText(const window::Look& look, const session::PerformanceView& view,
                           const document::KnownTime* timed);
/// "measured" or "stated": what a rate of the device is.
const char* rateWord(const window::Look& look, const model::Rate& rate);
/// The name that the user gave, else the step in short.
std::string stateTitle(const window::Look& look, const document::Node& node);
/// Its number, its title and, on a branch, how that began: "50  storage_align(X_shared, 0) · after 5: split(k, 8)".
std::string stateLabel(const window::Look& look, const document::History& history, int node);
/// What tells "50 storage_align(…)" of two branches apart at a glance: ", 85.5 µs"; empty without a time.
std::string timeAfterName(const session::Session& session, int node);
/// "recorded: NVIDIA H200, 2026-11-20"; empty without a result.
std::string originText(const window::Look& look, gpu::ResultOrigin from, const std::string& device,
                       const std::string& date);
std::string originText(const window::Look& look, const document::KnownTime& timed);

/// "not measured; the model predicts ≈ 21.5 µs for NVIDIA H200, from its machine code"; empty while nothing is
/// predicted, and for states with times unless those are of another device than the chosen one. Asks for it.
std::string predictionText(const window::Look& look, const session::Session& session, int node);

/// Whether another state is compared with the current one, and it is the current one that is shown.
bool comparesStates(const session::Session& session);
/// A figure beside that of the state compared with, or of the state before: "32 KiB (was 16 KiB)"; alone where both
/// read alike, or `was` is empty.
std::string withPreviousValue(const window::Look& look, const std::string& now, const std::string& was);
/// A line in the colour of change: what another state has of the same. `node` −1: the one compared with, which is to
/// be.
void drawComparedValue(const PanelContext& context, const std::string& what, int node = -1);

}  // namespace loom::panels
