#include "app/panels/lesson/view/chapter_times.h"

#include <fmt/format.h>

#include "app/session/session.h"

namespace loom::session {

bool ChapterTimes::follow(const Session& session, const std::string& language, const std::function<void()>& wake) {
  const document::Target& target = *session.documents().target();
  const int at = session.navigation().chapter();
  chapter_ = target.lesson && at >= 0 ? &target.lesson->chapters[std::size_t(at)] : nullptr;
  if (chapter_ != nullptr && !chapter_->configurations) chapter_ = nullptr;
  const std::string device = modelledDevice(session.modelDevice().status());
  const std::string of =
      chapter_ == nullptr || !session.modelDevice().status().known
          ? ""
          : fmt::format("{} {} {} {} {}", session.opened(), device, session.modelDevice().cache()->version(),
                        chapter_->configurations->name, language);
  if (of != of_) {
    of_ = of;
    times_.reset();
    problem_.reset();
    if (of.empty()) return true;
    made_.ask(
        [all = *chapter_->configurations, language, start = session.navigation().history().node(0).state,
         environment = session.documents().environment(), devices = session.modelDevice().cache(), device,
         assets = session.options().assets] {
          const auto figures = devices->of(device);
          return configuredTimes(all, language, start, environment, *figures ? &**figures : nullptr, assets);
        },
        wake);
    return true;
  }
  auto made = made_.take();
  if (!made || of_.empty()) return false;
  if (*made) {
    times_ = std::move(**made);
  } else {
    problem_ = made->error();
  }
  return true;
}

}  // namespace loom::session
