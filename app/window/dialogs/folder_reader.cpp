#include "app/window/dialogs/folder_reader.h"

#include <sys/stat.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "app/notation/lower_case.h"
#include "app/window/host.h"

namespace loom::window {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostEntries = 2000;

bool endsInOne(const std::string& name, const std::vector<std::string>& endings) {
  return endings.empty() || std::any_of(endings.begin(), endings.end(), [&](const std::string& ending) {
           return name.size() > ending.size() && name.ends_with(ending);
         });
}

}  // namespace

std::string timeOfFile(const fs::path& file) {
  struct stat facts {};
  struct tm local {};
  if (::stat(file.c_str(), &facts) != 0 || ::localtime_r(&facts.st_mtime, &local) == nullptr) return "";
  char text[32];
  return std::string(text, std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &local));
}

FolderContents readFolder(const fs::path& folder, const std::vector<std::string>& endings) {
  FolderContents found;
  std::error_code error;
  fs::directory_iterator it(folder, error);
  for (const fs::directory_iterator end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    std::error_code unknown;
    const bool isFolder = it->is_directory(unknown);
    if (name.starts_with(".") || (!isFolder && (!endsInOne(name, endings) || !it->is_regular_file(unknown)))) continue;
    if (found.entries.size() < kMostEntries) {
      found.entries.push_back({isFolder ? name + "/" : name, isFolder, timeOfFile(it->path())});
    } else {
      ++found.more;
    }
  }
  if (error) found.problem = systemMessage(error.value());
  std::sort(found.entries.begin(), found.entries.end(), [](const auto& a, const auto& b) {
    if (a.folder != b.folder) return a.folder;
    const std::string one = notation::lowerCase(a.name), other = notation::lowerCase(b.name);
    return one != other ? one < other : a.name < b.name;
  });
  return found;
}

void FolderReader::read(fs::path folder, std::vector<std::string> endings) {
  contents_.reset();
  wanted_ = Order{std::move(folder), std::move(endings)};
  start();
}

void FolderReader::poll() {
  std::optional<FolderContents> read;
  {
    std::lock_guard lock(mutex_);
    read = std::exchange(read_, std::nullopt);
  }
  if (!read) return;
  thread_.join();
  if (!wanted_) contents_ = std::move(read);
  start();
}

void FolderReader::start() {
  if (!wanted_ || thread_.joinable()) return;
  thread_ = std::thread([this, order = *std::exchange(wanted_, std::nullopt)] {
    FolderContents read = readFolder(order.folder, order.endings);
    {
      std::lock_guard lock(mutex_);
      read_ = std::move(read);
    }
    Host::wake();
  });
}

FolderReader::~FolderReader() {
  if (thread_.joinable()) thread_.join();
}

}  // namespace loom::window
