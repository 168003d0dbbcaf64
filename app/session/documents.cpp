// Documents on disk: saving, exports, and what a crashed session left.
#include <fmt/format.h>

#include <random>

#include "app/session/parts.h"
#include "core/document/export.h"
#include "core/document/file.h"

namespace loom::workbench {
namespace fs = std::filesystem;

namespace {

fs::path lockOf(fs::path autosave) { return autosave.replace_extension(".lock"); }

std::optional<fs::file_time_type> timeOf(const fs::path& file) {
  std::error_code error;
  const auto time = fs::last_write_time(file, error);
  return error ? std::nullopt : std::optional(time);
}

void removeAutosave(const fs::path& file) {
  std::error_code error;
  fs::remove(file, error);
  fs::remove(lockOf(file), error);
}

}  // namespace

std::string Workbench::Parts::newSession() {
  std::random_device chance;
  return fmt::format("{:08x}{:08x}", chance(), chance());
}

fs::path Workbench::Parts::autosaveFile() const { return options.dataFolder / "autosave" / (session + ".tileloom"); }

void Workbench::Parts::lockAutosave() {
  std::error_code error;
  fs::create_directories(options.dataFolder / "autosave", error);
  if (!autosaveLock) autosaveLock = process::FileLock::take(lockOf(autosaveFile()));
}

// A session that ends well removes its autosave; one that is gone has left it, unlocked.
void Workbench::findRecovery() {
  if (parts_->options.dataFolder.empty()) return;
  parts_->deriving->submit([parts = parts_.get(), folder = parts_->options.dataFolder / "autosave"] {
    std::optional<fs::path> left;
    fs::file_time_type newest{};
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
      if (it->path().extension() != ".tileloom") continue;
      if (it->path() == parts->autosaveFile() || process::FileLock::isTaken(lockOf(it->path()))) continue;
      std::error_code unknown;
      const auto time = it->last_write_time(unknown);
      if (!left || time > newest) {
        left = it->path();
        newest = time;
      }
    }
    parts->finish([parts, left] { parts->recovery = left; });
  });
}

void Workbench::endAutosave() {
  if (parts_->options.dataFolder.empty()) return;
  parts_->deriving->submitLasting([parts = parts_.get()] {
    removeAutosave(parts->autosaveFile());
    parts->autosaveLock.reset();
  });
}

const std::optional<fs::path>& Workbench::recovery() const { return parts_->recovery; }

void Workbench::recover() {
  if (!parts_->recovery) return;
  const fs::path file = *parts_->recovery;
  parts_->recovery.reset();
  parts_->openWith(
      [parts = parts_.get(), file]() -> Result<document::Target> {
        auto target = document::openTarget({file.string()}, parts->options.assets, {&parts->intrinsics});
        if (!target) return target;
        target->file.reset();  // it is nobody's document until it is saved
        std::error_code error;
        parts->lockAutosave();
        fs::rename(file, parts->autosaveFile(), error);
        fs::remove(lockOf(file), error);
        return target;
      },
      true);
}

void Workbench::discardRecovery() {
  if (!parts_->recovery) return;
  parts_->deriving->submitLasting([file = *parts_->recovery] { removeAutosave(file); });
  parts_->recovery.reset();
}

void Workbench::leaveRecovery() { parts_->recovery.reset(); }

bool Workbench::modified() const { return parts_->modified; }
std::optional<fs::path> Workbench::file() const { return parts_->target ? parts_->target->file : std::nullopt; }
const std::optional<Workbench::Written>& Workbench::written() const { return parts_->written; }

bool Workbench::fileChanged() const {
  // A file that is gone is no loss to write again.
  if (!file() || parts_->saving > 0) return false;
  const auto time = timeOf(*file());
  return time && parts_->fileTime && time != parts_->fileTime;
}

void Workbench::Parts::rememberFileTime() { fileTime = target->file ? timeOf(*target->file) : std::nullopt; }

void Workbench::save() {
  if (file()) saveAs(*file());
}

void Workbench::saveAs(const fs::path& file) {
  Parts& p = *parts_;
  if (!p.target) return;
  // Marked as saved at once: what changes while the file is written counts as new.
  p.modified = false;
  p.written.reset();
  p.target->file = file;
  ++p.saving;
  p.deriving->submitLasting([parts = &p, file, text = document::writeDocument(*p.target)] {
    auto done = document::writeFile(file, text);
    parts->finish([parts, file, done, time = timeOf(file)] {
      --parts->saving;
      parts->fileTime = time;
      parts->written = Written{file, done ? std::nullopt : std::optional<Error>(done.error())};
      if (!done) parts->modified = true;
    });
  });
}

void Workbench::exportTo(const std::string& kind, const fs::path& file) {
  Parts& p = *parts_;
  if (!p.target) return;
  auto work = [parts = &p, kind, file, environment = p.environment,
               target = std::make_shared<document::Target>(*p.target)](document::Bench& bench) {
    auto files = document::exportState(*target, target->history.current(), kind, bench, environment);
    std::optional<Error> problem;
    if (!files) {
      problem = files.error();
    } else if (auto done = document::writeFiles(file, *files); !done) {
      problem = done.error();
    }
    parts->finish([parts, file, problem] { parts->written = Written{file, problem}; });
  };
  if (kind == "ptx" || kind == "sass") {
    p.benching->submit([parts = &p, work] { work(*parts->bench); });
    return;
  }
  // Texts need neither device nor compiler, and don't wait for a measurement.
  p.deriving->submitLasting([parts = &p, work] {
    document::BenchOptions none;
    none.assets = parts->options.assets;
    none.device = "none";
    document::Bench bench(none);
    work(bench);
  });
}

}  // namespace loom::workbench
