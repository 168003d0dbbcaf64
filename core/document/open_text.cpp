#include "core/document/open_text.h"

#include "core/document/apply_script.h"
#include "core/document/own_intrinsics.h"

namespace loom::document {

Result<Target> openText(const std::string& text, const std::string& file, const schedule::Environment& environment) {
  auto read = notebook::readText(text, file, environment);
  if (!read) return Failure(read.error());
  auto history = History::create(*read->module);
  if (!history) {
    Error e = history.error();
    e.place.file = file;
    return Failure(std::move(e));
  }
  auto own = ownIntrinsics(std::move(read->intrinsics), environment);
  if (!own) return Failure(own.error());
  Target target{
      std::filesystem::path(file).stem().string(), std::move(*history), {}, {}, {}, {}, {}, {}, {}, std::move(*own)};
  target.remarks = std::move(read->remarks);
  auto applied = applyRuns(target.history, 0, read->runs, environmentOf(target, environment));
  target.refusal = applied.refusal ? std::move(applied.refusal) : std::move(read->refusal);
  if (target.refusal && target.refusal->place.file.empty()) target.refusal->place.file = file;
  return target;
}

}  // namespace loom::document
