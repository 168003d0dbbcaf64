#include "core/document/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/script/parser.h"

namespace loom::document {
namespace fs = std::filesystem;
using json = nlohmann::ordered_json;
namespace {

json linesOf(const std::vector<Line>& lines) {
  json list = json::array();
  for (const Line& l : lines) list.push_back(l.source);
  return list;
}
json uidsOf(const std::vector<Line>& lines) {
  json list = json::array();
  for (const Line& l : lines) list.push_back(l.uid);
  return list;
}

Failure noDocument(const std::string& file, const std::string& why) {
  auto failure = fail("ParseError", fmt::format("this is no Tileloom document: {}", why), Forbids::Input);
  failure.value().place.file = file;
  return failure;
}

}  // namespace

std::string writeDocument(const Target& target) {
  // One node a line: the nodes are written by hand around the library's own text.
  json head = {{"tileloom", kDocumentVersion},
               {"title", target.title},
               {"lesson", target.lesson ? json(target.lesson->name) : json()},
               {"function", target.history.node(0).script->text},
               {"current", target.history.current()},
               {"chapters", target.chapterNodes}};
  std::string text = "{\n";
  for (const auto& [key, value] : head.items())
    text += fmt::format(" {}: {},\n", json(key).dump(), value.dump(-1, ' ', false, json::error_handler_t::replace));
  text += " \"nodes\": [";
  for (std::size_t i = 0; i < target.history.nodes().size(); ++i) {
    const Node& n = target.history.node(int(i));
    json j = {{"id", i}, {"parent", n.parent}, {"lines", linesOf(n.lines)}, {"uids", uidsOf(n.lines)}};
    if (!n.trailing.empty()) {
      j["trailing"] = linesOf(n.trailing);
      j["trailing_uids"] = uidsOf(n.trailing);
    }
    if (!n.name.empty()) j["name"] = n.name;
    if (!n.note.empty()) j["note"] = n.note;
    if (n.pinned) j["pinned"] = true;
    if (n.deleted) j["deleted"] = true;
    text += (i ? ",\n  " : "\n  ") + j.dump(-1, ' ', false, json::error_handler_t::replace);
  }
  return text + "\n ]\n}\n";
}

Result<Target> readDocument(const std::string& text, const std::string& file,
                            const schedule::Environment& environment) {
  json j = json::parse(text, nullptr, false);
  if (!j.is_object() || !j.contains("tileloom")) return noDocument(file, "it isn't a JSON object with \"tileloom\"");
  if (!j["tileloom"].is_number_integer()) return noDocument(file, "its version isn't a number");
  if (j["tileloom"].get<std::int64_t>() > kDocumentVersion) {
    return fail("NewerVersion",
                fmt::format("{} has the document version {}; this program reads up to {}", file,
                            j["tileloom"].get<std::int64_t>(), kDocumentVersion),
                Forbids::Input);
  }
  if (j["tileloom"].get<std::int64_t>() < 1) return noDocument(file, "it has no version that there was");
  try {
    auto target = openFunction(j.at("function").get<std::string>(), file);
    if (!target) return target;
    target->title = j.at("title").get<std::string>();
    History& h = target->history;
    std::vector<int> at = {0};  // node of the document → node here; -1 where it was lost
    const json& nodes = j.at("nodes");
    if (!nodes.is_array() || nodes.empty()) return noDocument(file, "it has no nodes");
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const json& n = nodes[i];
      int node = 0;
      if (i > 0) {
        std::size_t parent = n.at("parent").get<std::size_t>();
        if (parent >= i) return noDocument(file, fmt::format("node {} comes before its parent", i));
        if (at[parent] < 0) {
          at.push_back(-1);
          continue;
        }
        std::vector<std::uint32_t> uids = n.at("uids").get<std::vector<std::uint32_t>>();
        std::vector<std::string> lines = n.at("lines").get<std::vector<std::string>>();
        auto made = h.restoreStep(at[parent], lines, uids, environment);
        if (!made) {
          at.push_back(-1);
          if (!target->refusal) {
            target->refusal = made.error();
            target->refusal->place.file = file;
          }
          continue;
        }
        node = *made;
        at.push_back(node);
      }
      if (n.contains("trailing")) {
        auto done = h.restoreTrailing(node, n.at("trailing").get<std::vector<std::string>>(),
                                      n.at("trailing_uids").get<std::vector<std::uint32_t>>(), environment);
        if (!done && !target->refusal) target->refusal = done.error();
      }
      h.rename(node, n.value("name", ""));
      h.annotate(node, n.value("note", ""));
      h.pin(node, n.value("pinned", false));
      if (n.value("deleted", false)) h.remove(node);
    }
    std::size_t current = j.value("current", std::size_t{0});
    // The closest state that still stands.
    while (current > 0 && current < at.size() && at[current] < 0)
      current = nodes[current].at("parent").get<std::size_t>();
    h.select(current < at.size() ? at[current] : 0);
    for (const json& c : j.value("chapters", json::array())) {
      std::size_t chapter = c.get<std::size_t>();
      target->chapterNodes.push_back(chapter < at.size() && at[chapter] >= 0 ? at[chapter] : 0);
    }
    target->file = file;
    target->lessonName = j.contains("lesson") && j["lesson"].is_string() ? j["lesson"].get<std::string>() : "";
    return target;
  } catch (const json::exception& e) {
    return noDocument(file, e.what());
  }
}

Result<Target> openDocument(const fs::path& file, const schedule::Environment& environment) {
  auto text = readFile(file);
  if (!text) return Failure(text.error());
  return readDocument(*text, file.string(), environment);
}

Result<void> writeFile(const fs::path& file, const std::string& content) {
  // Through links: the file they lead to is replaced, not the link.
  std::error_code none;
  const fs::path real = fs::is_symlink(file, none) ? fs::weakly_canonical(file, none) : file;
  const fs::path& target = none || real.empty() ? file : real;
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  const std::string partial = target.string() + fmt::format(".{}.tmp", ::getpid());
  auto failed = [&](const char* what) {
    std::string why = std::strerror(errno);
    ::unlink(partial.c_str());
    return fail("CantWrite", fmt::format("{} can't be {}: {}", file.string(), what, why), Forbids::Environment);
  };
  // What is no plain file (a terminal, /dev/null, a pipe) is written to, not replaced.
  struct stat old {};
  const bool exists = ::stat(target.c_str(), &old) == 0;
  const bool replace = !exists || S_ISREG(old.st_mode) || S_ISDIR(old.st_mode);
  int out = replace ? ::open(partial.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)
                    : ::open(target.c_str(), O_WRONLY | O_CLOEXEC);
  if (out < 0) return failed("written");
  std::size_t done = 0;
  while (done < content.size()) {
    ssize_t n = ::write(out, content.data() + done, content.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      int why = errno;
      ::close(out);
      errno = why;
      return failed("written");
    }
    done += std::size_t(n);
  }
  if (!replace) return ::close(out) == 0 ? Result<void>() : failed("written");
  if (exists) (void)::fchmod(out, old.st_mode & 07777);
  bool synced = ::fsync(out) == 0;
  int why = errno;
  bool closed = ::close(out) == 0;
  if (!synced) errno = why;
  if (!synced || !closed) return failed("written");
  if (::rename(partial.c_str(), target.c_str()) != 0) return failed("replaced");
  // The new name lasts only once the folder does.
  if (int at = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); at >= 0) {
    (void)::fsync(at);
    ::close(at);
  }
  return {};
}

}  // namespace loom::document
