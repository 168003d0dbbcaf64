#include "core/document/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/document/document_form.h"
#include "core/document/json_text.h"
#include "core/document/own_intrinsics.h"
#include "core/process/message_json.h"
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
// A refused node as it was read, under the numbers that the written document has.
json renumbered(const RefusedNode& node, std::size_t id, std::size_t parent) {
  json j = json::parse(node.json);
  j["id"] = id;
  j["parent"] = parent;
  return j;
}

// The accessor lines at a state that were refused go back to it.
void addTrailing(json& node, const RefusedNode& refused) {
  const json kept = json::parse(refused.json);
  for (const char* key : {"trailing", "trailing_uids"}) {
    if (!node.contains(key)) node[key] = json::array();
    for (const json& line : kept.at(key)) node[key].push_back(line);
  }
}

json uidsOf(const std::vector<Line>& lines) {
  json list = json::array();
  for (const Line& l : lines) list.push_back(l.uid);
  return list;
}

json foldsOf(const History& history) {
  json list = json::array();
  for (const Fold& fold : history.folds()) {
    json& written = list.emplace_back(json{{"title", fold.title.english()}});
    if (const auto words = process::wordsOf(fold.title); !words.is_null()) written["words"] = words;
    if (fold.outer >= 0) written["outer"] = fold.outer;
  }
  return list;
}

void readFolds(const json& document, History& history) {
  for (const json& fold : document.value("folds", json::array())) {
    const auto title = fold.at("title").get<std::string>();
    const nlohmann::json words = fold.value("words", json());
    history.restoreFold({process::messageOf(title, words), fold.value("outer", -1)});
  }
}

Failure noDocument(Error why) {
  why.message = message("this is no Tileloom document: {}", why.message);
  return Failure(std::move(why));
}
Failure noDocument(const std::string& file, Message why) {
  Error error = fail("ParseError", std::move(why), Forbids::Input).value();
  error.place.file = file;
  return noDocument(std::move(error));
}

// The intrinsics that a document brings along; null where it has none.
Result<std::shared_ptr<const OwnIntrinsics>> readOwn(const json& document, const std::string& file,
                                                     const schedule::Environment& environment) {
  auto wrong = [&](Error e, const std::string& at) {
    // Its lines are those of one function's text, which is one line of the document.
    e.message =
        e.place.line > 0 ? message("{}, line {}: {}", at, e.place.line, e.message) : message("{}: {}", at, e.message);
    e.place.file = file;
    e.place.line = e.place.column = 0;
    return Failure(std::move(e));
  };
  std::vector<notebook::RegisteredIntrinsic> registered;
  for (const json& i : document.value("intrinsics", json::array())) {
    auto made = readIntrinsic(i.at("name").get<std::string>(), i.at("text").get<std::string>(), file);
    if (!made) return wrong(made.error(), fmt::format("/intrinsics/{}/text", registered.size()));
    registered.push_back(std::move(*made));
  }
  auto own = ownIntrinsics(std::move(registered), environment);
  if (!own) return wrong(own.error(), "/intrinsics");
  return own;
}

}  // namespace

std::string writeDocument(const Target& target) {
  // Refused nodes follow the others; `ids` are theirs.
  std::vector<std::size_t> ids;
  std::size_t count = target.history.nodes().size();
  json chapters = target.chapterNodes;
  for (const RefusedNode& r : target.refused) {
    ids.push_back(r.trailing ? 0 : count++);
    for (std::size_t c : r.chapters) {
      if (c < chapters.size()) chapters[c] = ids.back();
    }
  }
  // One node a line: the nodes are written by hand around the library's own text.
  json head = {{"tileloom", kDocumentVersion},
               {"title", target.title},
               {"lesson", target.lessonName.empty() ? json() : json(target.lessonName)},
               {"function", target.history.node(0).script->text},
               {"current", target.history.current()},
               {"chapters", chapters}};
  if (!target.history.sizes().named.empty()) head["sizes"] = toJson(target.history.sizes());
  if (!target.history.folds().empty()) head["folds"] = foldsOf(target.history);
  if (target.own) {
    json& own = head["intrinsics"] = json::array();
    for (const auto& i : target.own->registered) own.push_back({{"name", i.name}, {"text", intrinsicText(i)}});
  }
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
    if (n.fold >= 0) j["fold"] = n.fold;
    for (const RefusedNode& r : target.refused) {
      if (r.trailing && r.parent == int(i)) addTrailing(j, r);
    }
    text += (i ? ",\n  " : "\n  ") + j.dump(-1, ' ', false, json::error_handler_t::replace);
  }
  for (std::size_t r = 0; r < target.refused.size(); ++r) {
    const RefusedNode& n = target.refused[r];
    if (n.trailing) continue;
    const auto parent = std::size_t(n.parent);
    text += ",\n  " + renumbered(n, ids[r], n.followsRefused ? ids[parent] : parent)
                          .dump(-1, ' ', false, json::error_handler_t::replace);
  }
  return text + "\n ]\n}\n";
}

Result<Target> readDocument(const std::string& text, const std::string& file, const schedule::Environment& given) {
  auto parsed = parseJson(text, file);
  if (!parsed) return noDocument(parsed.error());
  const json& j = *parsed;
  if (!j.is_object() || !j.contains("tileloom"))
    return noDocument(file, message("it isn't a JSON object with \"tileloom\""));
  if (!j["tileloom"].is_number_integer()) return noDocument(file, message("its version isn't a number"));
  if (j["tileloom"].get<std::int64_t>() > kDocumentVersion) {
    return fail("NewerVersion",
                message("{} has the document version {}; this program reads up to {}", file,
                        j["tileloom"].get<std::int64_t>(), kDocumentVersion),
                Forbids::Input);
  }
  if (j["tileloom"].get<std::int64_t>() < 1) return noDocument(file, message("it has no version that there was"));
  auto remarks = checkDocumentForm(j);
  if (!remarks) return noDocument(file, remarks.error().message);
  auto target = openFunction(j.at("function").get<std::string>(), file);
  if (!target) {
    Error e = target.error();
    // Its lines are those of the function, which is one line of the document.
    e.message = message("/function, line {}: {}", e.place.line, e.message);
    e.place.line = 0;
    return Failure(std::move(e));
  }
  target->title = j.at("title").get<std::string>();
  if (j.contains("sizes")) {
    auto sizes = sizesFromJson(j.at("sizes"));
    if (!sizes) return noDocument(file, sizes.error().message);
    if (auto fine = sizes->check(*target->history.node(0).state.module().functions.front()); !fine) {
      remarks->push_back(message("/sizes: {}: the default sizes are shown", fine.error().message));
    } else {
      target->history.setSizes(std::move(*sizes));
    }
  }
  auto own = readOwn(j, file, given);
  if (!own) return Failure(own.error());
  target->own = std::move(*own);
  const schedule::Environment environment = environmentOf(*target, given);
  History& h = target->history;
  readFolds(j, h);
  std::vector<int> at = {0};  // node of the document → node here; -1 − its index in `refused` where it is refused
  auto refuse = [&](RefusedNode kept, const json& n, bool shown, Error why) {
    for (const char* key : {"uids", "trailing_uids"}) {
      if (n.contains(key)) target->history.reserve(n.at(key).get<std::vector<std::uint32_t>>());
    }
    kept.json = n.dump(-1, ' ', false, json::error_handler_t::replace);
    target->refused.push_back(std::move(kept));
    if (target->refusal || !shown) return;
    target->refusal = std::move(why);
    target->refusal->place.file = file;
    target->refusal->place.line = target->refusal->place.column = 0;  // of the step, not of the document
  };
  const json& nodes = j.at("nodes");
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const json& n = nodes[i];
    int node = 0;
    if (i > 0) {
      const std::size_t parent = n.at("parent").get<std::size_t>();
      std::vector<std::uint32_t> uids = n.at("uids").get<std::vector<std::uint32_t>>();
      std::vector<std::string> lines = n.at("lines").get<std::vector<std::string>>();
      if (at[parent] < 0) {
        at.push_back(-1 - int(target->refused.size()));
        refuse({-1 - at[parent], true, false, "", {}}, n, false, {});
        continue;
      }
      auto made = h.restoreStep(at[parent], lines, uids, environment);
      if (!made) {
        at.push_back(-1 - int(target->refused.size()));
        // What an edit broke was marked as deleted: nobody misses it.
        refuse({at[parent], false, false, "", {}}, n, !n.value("deleted", false), made.error());
        continue;
      }
      node = *made;
      at.push_back(node);
    }
    if (n.contains("trailing")) {
      auto uids = n.at("trailing_uids").get<std::vector<std::uint32_t>>();
      auto done = h.restoreTrailing(node, n.at("trailing").get<std::vector<std::string>>(), uids, environment);
      if (!done) {
        refuse({node, false, true, "", {}}, n, true, done.error());
      }
    }
    h.rename(node, n.value("name", ""));
    h.annotate(node, n.value("note", ""));
    h.pin(node, n.value("pinned", false));
    if (n.value("deleted", false)) h.remove(node);
    h.restoreFoldOf(node, n.value("fold", -1));
  }
  // States that the document lacks have been told of: the first one stands for them.
  auto known = [&](const json& state) {
    const auto number = state.get<std::int64_t>();
    return number >= 0 && std::uint64_t(number) < at.size() ? std::size_t(number) : 0;
  };
  std::size_t current = j.contains("current") ? known(j.at("current")) : 0;
  // The closest state that still stands.
  while (current > 0 && at[current] < 0) current = nodes[current].at("parent").get<std::size_t>();
  h.select(at[current]);
  for (const json& c : j.value("chapters", json::array())) {
    const int node = at[known(c)];
    if (node < 0) target->refused[std::size_t(-1 - node)].chapters.push_back(target->chapterNodes.size());
    target->chapterNodes.push_back(std::max(node, 0));
  }
  target->remarks = std::move(*remarks);
  target->file = file;
  if (j.contains("lesson") && j["lesson"].is_string()) target->lessonName = j["lesson"].get<std::string>();
  return target;
}

Result<Target> openDocument(const fs::path& file, const schedule::Environment& environment) {
  auto text = readFile(file);
  if (!text) return Failure(text.error());
  return readDocument(*text, file.string(), environment);
}

Result<void> canWrite(const fs::path& file) {
  auto failed = [&](int why) {
    return fail("CantWrite", message("{} can't be written: {}", file.string(), systemMessage(why)),
                Forbids::Environment);
  };
  std::error_code none;
  if (fs::is_directory(file, none)) return failed(EISDIR);
  if (fs::exists(file, none) && !fs::is_regular_file(file, none)) {
    return ::access(file.c_str(), W_OK) == 0 ? Result<void>() : failed(errno);
  }
  const fs::path real = fs::is_symlink(file, none) ? fs::weakly_canonical(file, none) : file;
  const std::string probe = real.string() + fmt::format(".{}.tmp", ::getpid());
  int out = ::open(probe.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (out < 0) return failed(errno);
  ::close(out);
  ::unlink(probe.c_str());
  return {};
}

Result<void> writeFile(const fs::path& file, const std::string& content) {
  // Through links: the file they lead to is replaced, not the link.
  std::error_code none;
  const fs::path real = fs::is_symlink(file, none) ? fs::weakly_canonical(file, none) : file;
  const fs::path& target = none || real.empty() ? file : real;
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  const std::string partial = target.string() + fmt::format(".{}.tmp", ::getpid());
  auto failed = [&] {
    const Message why = systemMessage(errno);
    ::unlink(partial.c_str());
    return fail("CantWrite", message("{} can't be written: {}", file.string(), why), Forbids::Environment);
  };
  // What is no plain file (a terminal, /dev/null, a pipe) is written to, not replaced.
  struct stat old {};
  const bool exists = ::stat(target.c_str(), &old) == 0;
  const bool replace = !exists || S_ISREG(old.st_mode) || S_ISDIR(old.st_mode);
  int out = replace ? ::open(partial.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)
                    : ::open(target.c_str(), O_WRONLY | O_CLOEXEC);
  if (out < 0) return failed();
  std::size_t done = 0;
  while (done < content.size()) {
    ssize_t n = ::write(out, content.data() + done, content.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      int why = errno;
      ::close(out);
      errno = why;
      return failed();
    }
    done += std::size_t(n);
  }
  if (!replace) return ::close(out) == 0 ? Result<void>() : failed();
  if (exists) (void)::fchmod(out, old.st_mode & 07777);
  bool synced = ::fsync(out) == 0;
  int why = errno;
  bool closed = ::close(out) == 0;
  if (!synced) errno = why;
  if (!synced || !closed) return failed();
  if (::rename(partial.c_str(), target.c_str()) != 0) {
    const Message why = systemMessage(errno);
    ::unlink(partial.c_str());
    return fail("CantWrite", message("{} can't be replaced: {}", file.string(), why), Forbids::Environment);
  }
  // The new name lasts only once the folder does.
  if (int at = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); at >= 0) {
    (void)::fsync(at);
    ::close(at);
  }
  return {};
}

Result<void> writeFiles(const fs::path& to, const std::map<std::string, std::string>& files) {
  if (files.size() == 1 && files.begin()->first.empty()) return writeFile(to, files.begin()->second);
  std::error_code error;
  fs::create_directory(to, error);
  if (error) {
    return fail("CantWrite", message("{} can't be made: {}", to.string(), systemMessage(error.value())),
                Forbids::Environment);
  }
  for (const auto& [name, content] : files) {
    if (auto written = writeFile(to / name, content); !written) return written;
  }
  return {};
}

}  // namespace loom::document
