#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/panels/lesson/view/configured.h"
#include "app/session/background_value.h"
#include "core/document/lesson.h"

namespace loom::session {

class Session;

/// The configurations of the chapter that is read, and their times, as another thread makes them.
class ChapterTimes {
 public:
  /// Takes in what has been made, and has it made anew for another chapter, device or language. To be called once a
  /// frame while a target is open. Returns true when something has changed.
  bool follow(const Session& session, const std::string& language, const std::function<void()>& wake);

  /// Returns the chapter that is read, if it compares configurations; null: it does not.
  const document::Chapter* chapter() const { return chapter_; }
  /// Returns its configurations; null while they are being made, and where there are none or `problem` says why.
  const ConfiguredTimes* times() const { return times_ ? &*times_ : nullptr; }
  const std::optional<Error>& problem() const { return problem_; }

 private:
  std::string of_;  // what was asked for: target, device, chapter, language
  const document::Chapter* chapter_ = nullptr;
  BackgroundValue<Result<ConfiguredTimes>> made_;
  std::optional<ConfiguredTimes> times_;
  std::optional<Error> problem_;
};

}  // namespace loom::session
