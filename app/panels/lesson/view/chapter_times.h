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

/// The configurations of the current chapter of the open lesson: schedules that differ in a few decisions, such as tile
/// sizes. Each has a predicted and a measured time, in µs, where these are known. All are computed in the background.
class ChapterTimes {
 public:
  /// Takes over a result that is ready, and starts another computation if the chapter, the device or the language has
  /// changed (a new measurement alone starts none). To be called once a frame while a function is open for scheduling
  /// (Documents::target isn't null). `language` ("en" or "zh") is that of the words for decisions in `times`. `wake` is
  /// copied and called, from another thread, when a result is ready. Returns whether the values below have changed.
  bool follow(const Session& session, const std::string& language, const std::function<void()>& wake);

  /// Returns the current chapter, which the open lesson owns: the pointer is valid until another target is open. Null
  /// if the chapter doesn't compare configurations, or no lesson is open.
  const document::Chapter* chapter() const { return chapter_; }
  /// Returns the configurations of the chapter, valid until the next `follow`; null while they are being computed,
  /// while the GPU to predict for isn't known yet, if the chapter has none, and on an error.
  const ConfiguredTimes* times() const { return times_ ? &*times_ : nullptr; }
  /// Returns the error because of which there are no configurations; nothing if there was none.
  const std::optional<Error>& problem() const { return problem_; }

 private:
  std::string of_;  // target, device, chapter and language that the results are for; "": none
  const document::Chapter* chapter_ = nullptr;
  BackgroundValue<Result<ConfiguredTimes>> made_;
  std::optional<ConfiguredTimes> times_;
  std::optional<Error> problem_;
};

}  // namespace loom::session
