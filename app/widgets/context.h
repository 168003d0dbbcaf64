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

/// What a panel may use while it draws. Everything here is ready: a panel computes nothing slow and waits for nothing.
struct PanelContext {
  const window::Look& look;
  /// The model; null only in tests of a bare window. `target()` is null while nothing is open.
  session::Session* session = nullptr;
  /// Step lines that a panel proposes for the console's input; the console takes them and leaves it empty.
  std::string* consoleProposal = nullptr;
  /// A form that a panel proposes for the panel Step, with the values known so far; Step takes it and leaves it empty.
  tune::StepForm* formProposal = nullptr;
  /// What the lesson points at; null only in tests of a bare window.
  LessonHighlight* spotlight = nullptr;
  /// The id of a command of the menus Lesson and Export that a panel asks for; the window runs it after the panels.
  std::string* command = nullptr;
  /// Ids of the code panels whose long lines run on instead of being wrapped; kept in the settings.
  std::set<std::string>* unwrapped = nullptr;
  /// Whether a key or a command has just opened the panel: what it has to type into takes the keyboard.
  bool called = false;
  /// That the step on show is to be edited; History takes it and leaves false.
  bool* editStep = nullptr;
  /// Whether panels draw both states while two are compared; kept in the settings. Null only in tests.
  bool* bothSides = nullptr;
  /// Whether the panel is drawn beside its twin, which has the state compared with.
  bool beside = false;

  /// Asks for another frame. May be called from any thread, also after the frame has ended: background work keeps a
  /// copy of the function.
  std::function<void()> wake = [] {};

  /// Whether a program is open.
  bool hasProgram() const;
};

}  // namespace loom::panels
