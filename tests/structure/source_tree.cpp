#include "tests/structure/source_tree.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <regex>
#include <set>

namespace loom::structure {
namespace {

namespace fs = std::filesystem;

// From the bottom up. A room may include itself and every room before it, except the siblings below.
constexpr std::array kRooms = {"ir",     "arith", "layout",  "script",   "intrin",  "schedule", "notebook",
                               "device", "lower", "codegen", "process",  "compile", "exec",     "sass",
                               "model",  "gpu",   "profile", "document", "tune",    "app"};

// Rooms that stand side by side over `compile`. The gpu room drives both: its worker has a CPU device.
constexpr std::array<std::pair<const char*, const char*>, 2> kSiblings = {{{"model", "exec"}, {"sass", "exec"}}};

int rankOf(const std::string& room) {
  auto found = std::find(kRooms.begin(), kRooms.end(), room);
  return found == kRooms.end() ? -1 : static_cast<int>(found - kRooms.begin());
}

// What people see in two languages: in the room that rooms share, and in the header of each panel and part.
bool isWords(const std::string& path) {
  return path.rfind("app/text/", 0) == 0 || (path.rfind("app/", 0) == 0 && path.ends_with("words.h"));
}

// Parts of the program that are built and run where there is no window.
bool isWindowless(const std::string& path) {
  static constexpr std::array kParts = {"app/text/", "app/session/", "app/notation/", "app/report/", "app/cli/"};
  const bool inView = path.rfind("app/panels/", 0) == 0 && path.find("/view/") != std::string::npos;
  return inView || isWords(path) ||
         std::any_of(kParts.begin(), kParts.end(), [&](const char* part) { return path.rfind(part, 0) == 0; });
}

bool isText(const fs::path& path) {
  static const std::set<std::string> kEndings = {".h",    ".cpp",  ".c",    ".py",  ".md",   ".txt", ".json", ".cmake",
                                                 ".glsl", ".vert", ".frag", ".sql", ".yaml", ".csv", ""};
  return kEndings.count(path.extension().string()) != 0;
}

bool isSkippedFolder(const fs::path& folder, const fs::path& root) {
  const std::string name = folder.filename().string();
  return (name.front() == '.' && folder != root / ".ci") || folder == root / "build" || name == "__pycache__";
}

SourceFile read(const fs::path& path, const fs::path& root) {
  SourceFile file{fs::relative(path, root).generic_string(), {}};
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    file.lines.push_back(line);
  }
  return file;
}

}  // namespace

std::vector<std::string> pathsOfTree(const fs::path& root) {
  std::vector<std::string> paths;
  for (auto entry = fs::recursive_directory_iterator(root); entry != fs::recursive_directory_iterator(); ++entry) {
    if (entry->is_directory() && isSkippedFolder(entry->path(), root)) {
      entry.disable_recursion_pending();
    } else if (entry->path() != root / ".git") {  // of a worktree: a file that says where its repository is
      paths.push_back(fs::relative(entry->path(), root).generic_string());
    }
  }
  return paths;
}

std::vector<SourceFile> readTree(const fs::path& root) {
  std::vector<SourceFile> files;
  for (const std::string& path : pathsOfTree(root)) {
    if (fs::is_regular_file(root / path) && isText(path)) files.push_back(read(root / path, root));
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return files;
}

std::string describe(const std::vector<Breach>& breaches) {
  std::string text;
  for (const Breach& breach : breaches) {
    text += breach.path + (breach.line > 0 ? ":" + std::to_string(breach.line) : "") + ": " + breach.what + "\n";
  }
  return text;
}

std::optional<std::string> roomOf(const std::string& path) {
  if (path.rfind("app/", 0) == 0) {
    return "app";
  }
  if (path.rfind("core/", 0) == 0) {
    const auto end = path.find('/', 5);
    return end == std::string::npos ? std::nullopt : std::optional(path.substr(5, end - 5));
  }
  return std::nullopt;
}

bool mayInclude(const std::string& from, const std::string& to) {
  const int above = rankOf(from);
  const int below = rankOf(to);
  const bool siblings = std::any_of(kSiblings.begin(), kSiblings.end(),
                                    [&](const auto& pair) { return from == pair.first && to == pair.second; });
  return above >= 0 && below >= 0 && below <= above && !siblings;
}

std::vector<Breach> includeBreaches(const SourceFile& file) {
  std::vector<Breach> breaches;
  const auto from = roomOf(file.path);
  if (!from || !isCode(file.path)) {
    return breaches;
  }
  auto add = [&](std::size_t line, std::string what) {
    breaches.push_back({file.path, static_cast<int>(line) + 1, std::move(what)});
  };
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    const std::string& line = file.lines[i];
    if (line.rfind("#include \"", 0) != 0) {
      continue;
    }
    const std::string target = line.substr(10, line.find('"', 10) - 10);
    const auto to = roomOf(target);
    if (target.rfind("tests/", 0) == 0) {
      add(i, "the product includes a test: " + target);
    } else if (!to) {
      add(i, "include a file of the project by its path from the root, and others with <>: " + target);
    } else if (!mayInclude(*from, *to)) {
      add(i, "room " + *from + " may not include room " + *to);
    } else if (isWords(file.path) && !isWords(target) && target != "core/ir/message.h") {
      add(i, "words include nothing of the project but words and messages: " + target);
    } else if (isWindowless(file.path) && target.rfind("app/", 0) == 0 && !isWindowless(target)) {
      add(i, "the command line and what it uses do not know the window: " + target);
    }
  }
  return breaches;
}

std::vector<Breach> forbiddenTexts(const SourceFile& file) {
  // Written in pieces, so that this file does not hold what it forbids.
  static const std::vector<std::string> kForbidden = {
      "py"
      "pi.org",
      "python"
      "hosted.org",
      "deb."
      "debian.org",
      "archive."
      "ubuntu.com",
      "npm"
      "js.org",
      "crates"
      ".io/",
      "/wo"
      "rk/",
      "/ro"
      "ot/",
      "/tm"
      "p/h/",
      "/ho"
      "me/",
      "/tm"
      "p/oracle_env"};
  std::vector<Breach> breaches;
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    for (const std::string& text : kForbidden) {
      if (file.lines[i].find(text) != std::string::npos) {
        breaches.push_back({file.path, static_cast<int>(i) + 1, "may not be committed: " + text});
      }
    }
  }
  return breaches;
}

std::vector<Breach> placeholderBreaches(const SourceFile& file) {
  static const std::regex kText(R"re("(?:[^"\\]|\\.)*")re"), kPlain(R"re(\{(:[^}]*)?\})re"),
      kNumbered(R"re(\{\d+(:[^}]*)?\})re");
  std::vector<Breach> breaches;
  if (file.path.rfind("app/", 0) != 0 || !isCode(file.path)) return breaches;
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    const std::string& line = file.lines[i];
    for (std::sregex_iterator text(line.begin(), line.end(), kText), end; text != end; ++text) {
      const std::string found = text->str();
      if (std::regex_search(found, kPlain) && std::regex_search(found, kNumbered))
        breaches.push_back({file.path, static_cast<int>(i) + 1, "places with numbers and without: " + found});
    }
  }
  return breaches;
}

std::vector<Breach> termBreaches(const SourceFile& file) {
  const std::string& path = file.path;
  const bool words = isWords(path) || path.rfind("core/schedule/", 0) == 0;
  const bool lesson = path.rfind("assets/lessons/", 0) == 0 && (path.ends_with("zh.md") || path.ends_with(".json"));
  std::vector<Breach> breaches;
  if (!(words && isCode(path)) && !lesson) return breaches;
  struct Term {
    std::string word;
    std::vector<std::string> after;  // what it may stand behind
  };
  static const std::vector<Term> kRefused = {{"块", {"线程", "分", "计算", "方", "模"}},
                                             {"流水线", {"软件"}},
                                             {"载入", {}},
                                             {"尺寸", {}},
                                             {"降级", {}},
                                             {"切分", {}},
                                             {"合并", {}},
                                             {"张量指令", {}},
                                             {"本地内存", {}},
                                             {"内核", {}},
                                             {"时钟周期", {}},
                                             {"未隐藏", {}},
                                             {"程序字面", {}},
                                             {"多处理器", {"流式"}},
                                             {"线程束组", {}},
                                             {"二级缓存", {}}};
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    const std::string& line = file.lines[i];
    for (const Term& term : kRefused) {
      for (std::size_t at = line.find(term.word); at != std::string::npos; at = line.find(term.word, at + 1)) {
        const bool meant = std::any_of(term.after.begin(), term.after.end(),
                                       [&](const std::string& before) { return line.substr(0, at).ends_with(before); });
        if (!meant)
          breaches.push_back({path, static_cast<int>(i) + 1, "not a term of app/text/README.md: " + term.word});
      }
    }
  }
  return breaches;
}

std::vector<Breach> ellipsisBreaches(const SourceFile& file) {
  static const std::regex kApart(R"re([A-Za-z)] …")re"), kSentence(R"re(正在[^"]*")re");
  std::vector<Breach> breaches;
  if (!isWords(file.path)) return breaches;
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    const std::string& line = file.lines[i];
    if (std::regex_search(line, kApart))
      breaches.push_back({file.path, static_cast<int>(i) + 1, "… stands behind its word: " + line});
    std::smatch sentence;
    if (std::regex_search(line, sentence, kSentence) && sentence.str().ends_with("…\"") &&
        !sentence.str().ends_with("……\""))
      breaches.push_back({file.path, static_cast<int>(i) + 1, "a Chinese sentence that goes on ends in ……: " + line});
  }
  return breaches;
}

bool isCode(const std::string& path) { return path.ends_with(".h") || path.ends_with(".cpp"); }

bool isOracle(const std::string& path) { return path.rfind("tests/oracle/", 0) == 0; }

}  // namespace loom::structure
