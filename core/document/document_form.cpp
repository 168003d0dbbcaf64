#include "core/document/document_form.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>

#include "core/document/file.h"

namespace loom::document {
namespace {

using json = nlohmann::ordered_json;
using JsonPointer = json::json_pointer;

enum class Form { kText, kTextOrNull, kInteger, kTruth, kTexts, kIntegers, kUids, kList, kObject };

struct Key {
  const char* name;
  Form form;
  bool required = false;
};

constexpr Key kDocumentKeys[] = {{"tileloom", Form::kInteger, true}, {"title", Form::kText, true},
                                 {"lesson", Form::kTextOrNull},      {"function", Form::kText, true},
                                 {"current", Form::kInteger},        {"chapters", Form::kIntegers},
                                 {"nodes", Form::kList, true},       {"sizes", Form::kObject},
                                 {"intrinsics", Form::kList},        {"folds", Form::kList}};
constexpr Key kIntrinsicKeys[] = {{"name", Form::kText, true}, {"text", Form::kText, true}};
constexpr Key kFoldKeys[] = {{"title", Form::kText, true}, {"words", Form::kObject}, {"outer", Form::kInteger}};
constexpr Key kNodeKeys[] = {{"id", Form::kInteger},    {"parent", Form::kInteger}, {"lines", Form::kTexts},
                             {"uids", Form::kUids},     {"trailing", Form::kTexts}, {"trailing_uids", Form::kUids},
                             {"name", Form::kText},     {"note", Form::kText},      {"pinned", Form::kTruth},
                             {"deleted", Form::kTruth}, {"fold", Form::kInteger}};

Message nameOf(Form form) {
  switch (form) {
    case Form::kText: return message("a text");
    case Form::kTextOrNull: return message("a text or null");
    case Form::kInteger: return message("a whole number");
    case Form::kTruth: return message("true or false");
    case Form::kTexts:
    case Form::kIntegers:
    case Form::kUids:
    case Form::kList: return message("a list");
    case Form::kObject: return message("an object");
  }
  return {};
}

// "3", "the text "abc"", "a list"
Message described(const json& value) {
  constexpr std::size_t kMost = 40;
  if (value.is_object()) return message("an object");
  if (value.is_array()) return message("a list");
  std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
  if (text.size() > kMost) return value.is_string() ? message("a long text") : message("a long number");
  return value.is_string() ? message("the text {}", text) : verbatim(text);
}

Failure misfit(const JsonPointer& at, const json& value, const Message& expected) {
  return fail("ParseError", message("{} is {}; {} is expected", at.to_string(), described(value), expected),
              Forbids::Input);
}

bool isBetween(const json& value, std::int64_t least, std::int64_t most) {
  if (!value.is_number_integer()) return false;
  if (value.is_number_unsigned() &&
      value.get<std::uint64_t>() > std::uint64_t(std::numeric_limits<std::int64_t>::max()))
    return false;
  const auto number = value.get<std::int64_t>();
  return number >= least && number <= most;
}

Result<void> checkValue(const json& value, Form form, const JsonPointer& at) {
  bool fits = false;
  std::optional<Form> each;
  switch (form) {
    case Form::kText: fits = value.is_string(); break;
    case Form::kTextOrNull: fits = value.is_string() || value.is_null(); break;
    case Form::kInteger: fits = value.is_number_integer(); break;
    case Form::kTruth: fits = value.is_boolean(); break;
    case Form::kTexts: each = Form::kText; break;
    case Form::kIntegers:
    case Form::kUids: each = Form::kInteger; break;
    case Form::kList: fits = value.is_array(); break;
    case Form::kObject: fits = value.is_object(); break;
  }
  fits = fits || (each && value.is_array());
  if (!fits) return misfit(at, value, nameOf(form));
  for (std::size_t i = 0; each && i < value.size(); ++i) {
    constexpr std::int64_t kMostUid = std::numeric_limits<std::uint32_t>::max();
    if (auto done = checkValue(value[i], *each, at / i); !done) return done;
    if (form == Form::kUids && !isBetween(value[i], 0, kMostUid)) {
      return misfit(at / i, value[i], message("a whole number from {} to {}", 0, kMostUid));
    }
  }
  return {};
}

class FormCheck {
 public:
  Result<std::vector<Message>> run(const json& document) {
    if (auto done = keys(document, kDocumentKeys, JsonPointer()); !done) return Failure(done.error());
    if (auto own = document.find("intrinsics"); own != document.end()) {
      for (std::size_t i = 0; i < own->size(); ++i) {
        if (auto done = keys((*own)[i], kIntrinsicKeys, JsonPointer("/intrinsics") / i); !done) {
          return Failure(done.error());
        }
      }
    }
    if (auto folds = document.find("folds"); folds != document.end()) {
      for (; folds_ < folds->size(); ++folds_) {
        if (auto done = fold((*folds)[folds_]); !done) return Failure(done.error());
      }
    }
    const json& nodes = document["nodes"];
    if (nodes.empty()) return fail("ParseError", message("it has no nodes"), Forbids::Input);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (auto done = node(nodes[i], i); !done) return Failure(done.error());
    }
    const auto last = std::int64_t(nodes.size()) - 1;
    if (document.contains("current") && !isBetween(document["current"], 0, last)) {
      remarks_.push_back(message("/current is {}, but the document has the states 0 to {}: the first one is shown",
                                 document["current"].dump(), last));
    }
    if (!document.contains("chapters")) return std::move(remarks_);
    for (std::size_t i = 0; i < document["chapters"].size(); ++i) {
      if (isBetween(document["chapters"][i], 0, last)) continue;
      remarks_.push_back(
          message("/chapters/{} is {}, but the document has the states 0 to {}: the chapter ends at the first one", i,
                  document["chapters"][i].dump(), last));
    }
    return std::move(remarks_);
  }

 private:
  Result<void> keys(const json& object, std::span<const Key> known, const JsonPointer& at) {
    if (!object.is_object()) return misfit(at, object, message("an object"));
    for (const Key& key : known) {
      auto found = object.find(key.name);
      if (found == object.end()) {
        if (key.required) return missing(at, key.name);
      } else if (auto done = checkValue(*found, key.form, at / key.name); !done) {
        return done;
      }
    }
    for (const auto& [name, value] : object.items()) {
      bool isKnown = false;
      for (const Key& key : known) isKnown = isKnown || key.name == name;
      if (isKnown || !unknown_.insert(name).second) continue;
      remarks_.push_back(message("{} is no key of documents of version {}: it is passed over, and not written back",
                                 (at / name).to_string(), kDocumentVersion));
    }
    return {};
  }

  static Failure missing(const JsonPointer& at, const char* key) {
    return fail("ParseError", message("{} is missing", (at / key).to_string()), Forbids::Input);
  }

  Result<void> node(const json& n, std::size_t i) {
    const JsonPointer at = JsonPointer("/nodes") / i;
    if (auto done = keys(n, kNodeKeys, at); !done) return done;
    // Parents and chapters count the nodes as they stand in the list: another number would mean another tree.
    if (n.contains("id") && !isBetween(n["id"], std::int64_t(i), std::int64_t(i))) {
      return misfit(at / "id", n["id"], verbatim(std::to_string(i)));
    }
    if (i > 0) {
      for (const char* key : {"parent", "lines", "uids"}) {
        if (!n.contains(key)) return missing(at, key);
      }
      if (!isBetween(n["parent"], 0, std::int64_t(i) - 1)) {
        return misfit(at / "parent", n["parent"], message("a whole number from {} to {}", 0, i - 1));
      }
    }
    if (auto done = index(n, "fold", folds_, at); !done) return done;
    if (n.contains("trailing") && !n.contains("trailing_uids")) return missing(at, "trailing_uids");
    return {};
  }

  // A fold is part of one that stands before it.
  Result<void> fold(const json& f) {
    const JsonPointer at = JsonPointer("/folds") / folds_;
    if (auto done = keys(f, kFoldKeys, at); !done) return done;
    return index(f, "outer", folds_, at);
  }

  // Checks that a value is an index below `end`, where the object has it.
  static Result<void> index(const json& object, const char* key, std::size_t end, const JsonPointer& at) {
    if (!object.contains(key) || isBetween(object[key], 0, std::int64_t(end) - 1)) return {};
    return misfit(at / key, object[key],
                  end == 0 ? message("no such key") : message("a whole number from {} to {}", 0, end - 1));
  }

  std::vector<Message> remarks_;
  std::set<std::string> unknown_;
  std::size_t folds_ = 0;  // that the document has
};

}  // namespace

Result<std::vector<Message>> checkDocumentForm(const nlohmann::ordered_json& document) {
  return FormCheck().run(document);
}

}  // namespace loom::document
