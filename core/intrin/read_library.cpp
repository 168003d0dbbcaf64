#include "core/intrin/intrinsic.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <mutex>
#include <optional>

#include "core/intrin/execution.h"
#include "core/intrin/intrinsic_file.h"
#include "core/script/parser.h"

namespace loom::intrin {
namespace {

Result<ir::Function> parseOne(const std::string& text, const std::string& file) {
  auto module = script::parseModule(text, file);
  if (!module) return tl::unexpected(module.error());
  if (module->functions.empty()) {
    Failure failure = fail("ParseError", message("the module has no function"), Forbids::Input);
    failure.value().place.file = file;
    return failure;
  }
  return module->functions.front();
}

// A parameter's buffer must be what the root block reads or writes: tensorize places it there.
Message complaint(const Intrinsic& i) {
  if (i.description->params.size() != i.implementation->params.size()) {
    return message("`desc` and `impl` must have the same parameters");
  }
  for (const auto* function : {&i.description, &i.implementation}) {
    const auto& block = *(*function)->body->block;
    for (const auto& parameter : (*function)->params) {
      if (!parameter.buffer) return message("every parameter must be a buffer");
      auto isIt = [&](const ir::BufferRegion& r) { return r.buffer == parameter.buffer; };
      if (std::none_of(block.reads.begin(), block.reads.end(), isIt) &&
          std::none_of(block.writes.begin(), block.writes.end(), isIt)) {
        return message("the root block must read or write the parameter {}", parameter.buffer->name);
      }
    }
  }
  if (const ir::CallNode* operation = groupOperation(i.implementation->body)) {
    ExecutionGroup group = *groupOf(operation->op);
    if (group != i.group) {
      return message("EXECUTION is \"{}\", but T.{} is an operation of a {}", nameOf(i.group), operation->op,
                     nameOf(group));
    }
  }
  return {};
}

Result<Intrinsic> parse(const IntrinsicText& text, ExecutionGroup group, const std::string& file) {
  if (auto ok = text.check(); !ok) return tl::unexpected(ok.error());
  auto description = parseOne(text.description(), text.functions->file->name);
  if (!description) return tl::unexpected(description.error());
  auto implementation = parseOne(text.implementation(), text.functions->file->name);
  if (!implementation) return tl::unexpected(implementation.error());
  return Intrinsic{text.name, group, *description, *implementation, file};
}

Failure refusal(const std::string& name, const std::string& file, const Message& wrong) {
  Failure failure = fail("ValueError", message("{}: {}", name, wrong), Forbids::Input);
  failure.value().place.file = file;
  return failure;
}

Result<Intrinsic> checked(const IntrinsicText& text, ExecutionGroup group, const std::string& file) {
  auto intrinsic = parse(text, group, file);
  if (!intrinsic) return intrinsic;
  if (Message wrong = complaint(*intrinsic); !wrong.empty()) return refusal(text.name, file, wrong);
  return intrinsic;
}

}  // namespace

// What the intrinsics of a file have in common.
struct Library::Origin {
  ExecutionGroup group = ExecutionGroup::Thread;
  std::string file;
};

// An intrinsic, or the text that it is parsed from when it is first asked for: null where that text is wrong. Several
// threads may ask at once. There are thousands, so what few need is small where it isn't there.
class Library::Entry {
 public:
  Entry(std::string name, Intrinsic intrinsic)
      : text_{std::move(name), {}, {}, {}}, intrinsic_(std::make_unique<const Intrinsic>(std::move(intrinsic))) {}
  Entry(IntrinsicText text, std::shared_ptr<const Origin> origin)
      : text_(std::move(text)), origin_(std::move(origin)) {}

  // Stays where it is as long as the entry.
  const std::string& name() const { return text_.name; }

  const Intrinsic* get() const {
    std::call_once(once_, [this] {
      if (intrinsic_) return;
      if (auto parsed = checked(text_, origin_->group, origin_->file))
        intrinsic_ = std::make_unique<const Intrinsic>(std::move(*parsed));
    });
    return intrinsic_.get();
  }

 private:
  mutable std::once_flag once_;
  IntrinsicText text_;
  std::shared_ptr<const Origin> origin_;  // null: `intrinsic_` is there already
  mutable std::unique_ptr<const Intrinsic> intrinsic_;
};

const Intrinsic* Library::find(std::string_view name) const {
  auto it = byName_.find(name);
  return it == byName_.end() ? nullptr : it->second->get();
}

std::vector<std::string> Library::names() const {
  std::vector<std::string> out;
  for (const auto& [name, entry] : byName_) out.emplace_back(name);
  return out;
}

Result<void> Library::add(std::string_view text, const std::string& file) { return put(text, file, false); }
Result<void> Library::replace(std::string_view text, const std::string& file) { return put(text, file, true); }

Result<void> Library::put(std::string_view text, const std::string& file, bool replaces) {
  auto tables = readTables(text, file);
  if (!tables) return tl::unexpected(tables.error());
  auto family = readIntrinsicFile(*tables);
  if (!family) return tl::unexpected(family.error());
  const auto origin = std::make_shared<const Origin>(Origin{family->group, file});
  Names made;
  for (auto& member : family->members) {
    std::shared_ptr<const Entry> entry;
    if (member.isVariant) {
      entry = std::make_shared<const Entry>(std::move(member), origin);
    } else {
      auto intrinsic = checked(member, origin->group, file);
      if (!intrinsic) return tl::unexpected(intrinsic.error());
      entry = std::make_shared<const Entry>(std::move(member.name), std::move(*intrinsic));
    }
    if (!made.emplace(entry->name(), entry).second || (!replaces && byName_.contains(entry->name())))
      return refusal(entry->name(), file, message("an intrinsic of this name exists already"));
  }
  for (auto& [name, entry] : made) byName_.erase(name);  // its name goes with the earlier entry
  byName_.merge(made);
  return {};
}

Result<Library> Library::load(const std::filesystem::path& folder, bool checksAll) {
  std::error_code error;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".py") files.push_back(entry.path());
  }
  if (error) return fail("NoSuchFile", message("The folder {} can't be read", folder.string()), Forbids::Environment);
  std::map<std::string, Result<FileTables>> read;  // by the names of the files
  for (const auto& path : files) {
    std::ifstream in(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (!in) return fail("NoSuchFile", message("{} can't be read", path.string()), Forbids::Environment);
    const std::string file = path.filename().string();
    read.emplace(file, readTables(text, file));
  }
  const auto tablesOf = [&](const std::string& file) {
    const auto found = read.find(file);
    return found == read.end() ? nullptr : &found->second;
  };
  Library library;
  for (const auto& [file, tables] : read) {
    if (!tables) return tl::unexpected(tables.error());
    auto family = readIntrinsicFile(*tables, tablesOf);
    if (!family) return tl::unexpected(family.error());
    const auto origin = std::make_shared<const Origin>(Origin{family->group, file});
    for (auto& member : family->members) {
      if (checksAll && !member.isVariant)
        if (auto intrinsic = checked(member, origin->group, file); !intrinsic) return tl::unexpected(intrinsic.error());
      auto entry = std::make_shared<const Entry>(std::move(member), origin);
      if (!library.byName_.emplace(entry->name(), entry).second)
        return refusal(entry->name(), file, message("an intrinsic of this name exists already"));
    }
  }
  return library;
}

}  // namespace loom::intrin
