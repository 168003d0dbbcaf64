#pragma once

#include <functional>
#include <set>
#include <string>

namespace loom::window {
struct Look;
}
namespace loom::session {
class Session;
}
namespace loom::tune {
struct StepForm;
}

namespace loom::panels {

class LessonHighlight;

/// Everything that a panel may use while it draws. All of it is ready: a panel computes nothing slow and waits for
/// nothing. Each pointer may be null in tests. Those after `session` are how panels send something to each other or to
/// the window, or share a setting.
struct PanelContext {
  const window::Look& look;
  /// The open target (the function that is being scheduled, and the history of its states, the programs after each
  /// step) and everything known of it. Its target is null while nothing is open.
  session::Session* session = nullptr;
  /// Step lines (calls of schedule primitives) for the input of the console. A panel sets them; the console takes them
  /// and leaves an empty text.
  std::string* consoleProposal = nullptr;
  /// A form for the panel Step, with the values known so far. A panel sets it; Step takes it and leaves an empty form.
  tune::StepForm* formProposal = nullptr;
  /// The thing that a lesson points at, which panels highlight. Null also for a panel that draws the other state of a
  /// comparison.
  LessonHighlight* spotlight = nullptr;
  /// The id of a command of the menus Lesson, Export and Schedule ("makefast"). A panel sets it; the window runs the
  /// command after the panels.
  std::string* command = nullptr;
  /// The ids of the code panels that don't wrap long lines; kept in the settings.
  std::set<std::string>* unwrapped = nullptr;
  /// Whether a key or a command has just opened the panel, so that its text field takes the keyboard.
  bool called = false;
  /// Whether the step of the current state is to be edited. A panel sets it; History takes it and leaves false.
  bool* editStep = nullptr;
  /// Whether panels draw both states while two are compared; kept in the settings.
  bool* bothSides = nullptr;
  /// Whether two panels of this kind are drawn beside each other, one for each state of a comparison.
  bool beside = false;

  /// Requests another frame. May be called from any thread, also after the frame has ended: background jobs keep a copy
  /// of this function.
  std::function<void()> wake = [] {};

  /// Returns whether a target is open; false without a session.
  bool hasProgram() const;
};

}  // namespace loom::panels
