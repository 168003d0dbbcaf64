#include "app/session/documents.h"

#include <fmt/format.h>

#include <random>
#include <utility>

#include "core/document/export.h"
#include "core/document/file.h"
#include "core/document/open_text.h"

namespace loom::session {
namespace fs = std::filesystem;

namespace {

std::string newSession() {
  std::random_device chance;
  return fmt::format("{:08x}{:08x}", chance(), chance());
}

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

Documents::Documents(const Options& options, Jobs& jobs, Tools& tools)
    : options_(options), jobs_(jobs), tools_(tools), environment_{&intrinsics_}, session_(newSession()) {
  jobs_[Queue::kPrograms].submit([this] {
    std::map<std::string, document::Translated> titles;
    for (const std::string& name : document::lessonNames(options_.assets)) {
      if (auto lesson = document::loadLesson(options_.assets / "lessons" / name)) titles[name] = lesson->title;
    }
    auto functions = document::readyFunctions(options_.assets);
    jobs_.finish(
        [this, titles, functions = functions ? std::move(*functions) : std::vector<document::ReadyFunction>()] {
          lessons_ = titles;
          readyFunctions_ = functions;
        });
  });
  findRecovery();
}

std::optional<Error> Documents::loadIntrinsics() {
  if (intrinsicsReady_) return std::nullopt;
  auto library = intrin::Library::load(options_.assets / "intrinsics");
  if (!library) return library.error();
  intrinsics_ = std::move(*library);
  intrinsicsReady_ = true;
  return std::nullopt;
}

void Documents::openWith(std::function<Result<document::Target>()> make, bool isUnsaved) {
  opening_ = true;
  openProblem_.reset();
  const std::uint64_t order = ++orders_;
  jobs_[Queue::kPrograms].submit([this, order, isUnsaved, make = std::move(make)] {
    Result<document::Target> made = fail("NoAssets", Message());
    if (auto problem = loadIntrinsics()) {
      made = Failure(*problem);
    } else {
      made = make();
    }
    jobs_.finish([this, order, isUnsaved, made = std::make_shared<Result<document::Target>>(std::move(made))] {
      if (order != orders_) return;  // something else was asked for since
      opening_ = false;
      if (*made) {
        opened_ = Opened{std::move(**made), isUnsaved};
      } else {
        openProblem_ = made->error();
      }
    });
  });
}

void Documents::open(const std::string& word) {
  openWith([this, word] { return document::openTarget({word}, options_.assets, {&intrinsics_}); });
}

void Documents::openFunction(const std::string& text, const std::string& name) {
  openWith([this, text, name] { return document::openText(text, name, {&intrinsics_}); });
}

void Documents::openMatmul(const document::MatmulRequest& request) {
  auto text = document::matmulFunction(request);
  if (!text) {
    openProblem_ = text.error();
    return;
  }
  openWith([text = *text, sizes = document::matmulSizes(request)]() -> Result<document::Target> {
    auto made = document::openFunction(text, "matmul.py");
    auto named = document::Sizes::read(sizes);
    if (!made || !named) return made ? Failure(named.error()) : made;
    made->history.setSizes(std::move(*named));
    return made;
  });
}

void Documents::openReady(const document::ReadyFunction& function, const document::FunctionSizes& sizes) {
  openWith([function, sizes, this] { return document::openReady(function, sizes, {&intrinsics_}); });
}

void Documents::cancelOpening() {
  opening_ = false;
  ++orders_;
}

void Documents::adopt(Opened opened) {
  jobs_.discard(std::exchange(target_, std::move(opened.target)));
  if (target_->own) owned_.push_back(target_->own);
  environment_ = document::environmentOf(*target_, {&intrinsics_});
  modified_ = opened.isUnsaved;
  rememberFileTime();
}

std::vector<std::string> Documents::lessonNames() const {
  std::vector<std::string> names;
  for (const auto& [name, title] : lessons_) names.push_back(name);
  return names;
}

document::Translated Documents::lessonTitle(const std::string& name) const {
  auto found = lessons_.find(name);
  return found == lessons_.end() ? document::Translated{} : found->second;
}

void Documents::noteChange() {
  ++changes_;
  modified_ = autosaveDue_ = true;
}

std::optional<fs::path> Documents::file() const { return target_ ? target_->file : std::nullopt; }

bool Documents::isChangedOnDisk() const {
  // A file that is gone is no loss to write again.
  if (!file() || saving_ > 0) return false;
  const auto time = timeOf(*file());
  return time && fileTime_ && time != fileTime_;
}

void Documents::rememberFileTime() { fileTime_ = target_->file ? timeOf(*target_->file) : std::nullopt; }

void Documents::save() {
  if (file()) saveAs(*file());
}

void Documents::saveAs(const fs::path& file) {
  if (!target_) return;
  // Marked as saved at once: what changes while the file is written counts as new.
  modified_ = false;
  lastWrite_.reset();
  target_->file = file;
  ++saving_;
  jobs_[Queue::kPrograms].submitLasting([this, file, text = document::writeDocument(*target_)] {
    auto done = document::writeFile(file, text);
    jobs_.finish([this, file, done, time = timeOf(file)] {
      --saving_;
      fileTime_ = time;
      lastWrite_ = LastWrite{file, done ? std::nullopt : std::optional<Error>(done.error())};
      if (!done) modified_ = true;
    });
  });
}

void Documents::exportTo(const std::string& kind, const fs::path& file) {
  if (!target_) return;
  auto work = [this, kind, file, environment = environment_,
               target = std::make_shared<document::Target>(*target_)](document::Bench& bench) {
    auto files = document::exportState(*target, target->history.current(), kind, bench, environment);
    std::optional<Error> problem;
    if (!files) {
      problem = files.error();
    } else if (auto done = document::writeFiles(file, *files); !done) {
      problem = done.error();
    }
    jobs_.finish([this, file, problem] { lastWrite_ = LastWrite{file, problem}; });
  };
  if (kind == "ptx" || kind == "sass") {
    jobs_[Queue::kBench].submit([this, work] { work(*tools_.bench); });
    return;
  }
  // Texts need neither device nor compiler, and don't wait for a measurement.
  jobs_[Queue::kPrograms].submitLasting([this, work] {
    document::BenchOptions none;
    none.assets = options_.assets;
    none.device = "none";
    document::Bench bench(none);
    work(bench);
  });
}

void Documents::autosave() {
  if (!autosaveDue_ || !target_ || options_.dataFolder.empty()) return;
  autosaveDue_ = false;
  jobs_[Queue::kPrograms].submitLasting([this, file = autosaveFile(), text = document::writeDocument(*target_)] {
    lockAutosave();
    auto done = document::writeFile(file, text);
    // The next step tries again; the first failure is told, the ones after it would only repeat it.
    jobs_.finish([this, file, done] {
      if (!done && !autosaveFails_) lastWrite_ = LastWrite{file, done.error()};
      autosaveFails_ = !done;
    });
  });
}

fs::path Documents::autosaveFile() const { return options_.dataFolder / "autosave" / (session_ + ".tileloom"); }

void Documents::lockAutosave() {
  std::error_code error;
  fs::create_directories(options_.dataFolder / "autosave", error);
  if (!autosaveLock_) autosaveLock_ = process::FileLock::take(lockOf(autosaveFile()));
}

// A session that ends well removes its autosave; one that is gone has left it, unlocked.
void Documents::findRecovery() {
  if (options_.dataFolder.empty()) return;
  jobs_[Queue::kPrograms].submit([this, folder = options_.dataFolder / "autosave"] {
    std::optional<fs::path> left;
    fs::file_time_type newest{};
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
      if (it->path().extension() != ".tileloom") continue;
      if (it->path() == autosaveFile() || process::FileLock::isTaken(lockOf(it->path()))) continue;
      std::error_code unknown;
      const auto time = it->last_write_time(unknown);
      if (!left || time > newest) {
        left = it->path();
        newest = time;
      }
    }
    jobs_.finish([this, left] { recovery_ = left; });
  });
}

void Documents::endAutosave() {
  if (options_.dataFolder.empty()) return;
  jobs_[Queue::kPrograms].submitLasting([this] {
    removeAutosave(autosaveFile());
    autosaveLock_.reset();
  });
}

void Documents::recover() {
  if (!recovery_) return;
  const fs::path file = *recovery_;
  recovery_.reset();
  openWith(
      [this, file]() -> Result<document::Target> {
        auto target = document::openTarget({file.string()}, options_.assets, {&intrinsics_});
        if (!target) return target;
        target->file.reset();  // it is nobody's document until it is saved
        std::error_code error;
        lockAutosave();
        fs::rename(file, autosaveFile(), error);
        fs::remove(lockOf(file), error);
        return target;
      },
      true);
}

void Documents::discardRecovery() {
  if (!recovery_) return;
  jobs_[Queue::kPrograms].submitLasting([file = *recovery_] { removeAutosave(file); });
  recovery_.reset();
}

}  // namespace loom::session
