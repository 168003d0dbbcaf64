#include "core/intrin/intrinsic.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "core/intrin/execution.h"
#include "core/intrin/intrinsic_file.h"
#include "core/script/parser.h"

namespace loom::intrin {
namespace {

Result<ir::Function> parseOne(const std::string& text, const std::string& file) {
  auto module = script::parseModule(text, file);
  if (!module) return tl::unexpected(module.error());
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

}  // namespace

Result<void> Library::add(std::string_view text, const std::string& file) { return put(text, file, false); }
Result<void> Library::replace(std::string_view text, const std::string& file) { return put(text, file, true); }

Result<void> Library::put(std::string_view text, const std::string& file, bool replaces) {
  auto family = readIntrinsicFile(text, file);
  if (!family) return tl::unexpected(family.error());
  std::vector<std::shared_ptr<const Intrinsic>> made;
  for (const auto& member : family->members) {
    auto intrinsic = std::make_shared<Intrinsic>();
    auto description = parseOne(member.description, file);
    if (!description) return tl::unexpected(description.error());
    auto implementation = parseOne(member.implementation, file);
    if (!implementation) return tl::unexpected(implementation.error());
    intrinsic->name = member.name;
    intrinsic->group = family->group;
    intrinsic->description = *description;
    intrinsic->implementation = *implementation;
    intrinsic->file = file;
    Message wrong = complaint(*intrinsic);
    bool isTwice = (!replaces && byName_.count(member.name) > 0) ||
                   std::any_of(made.begin(), made.end(), [&](const auto& m) { return m->name == member.name; });
    if (isTwice) wrong = message("an intrinsic of this name exists already");
    if (!wrong.empty()) {
      Failure failure = fail("ValueError", message("{}: {}", member.name, wrong), Forbids::Input);
      failure.value().place.file = file;
      return failure;
    }
    made.push_back(std::move(intrinsic));
  }
  for (auto& intrinsic : made) byName_.insert_or_assign(intrinsic->name, intrinsic);
  return {};
}

Result<Library> Library::load(const std::filesystem::path& folder) {
  std::error_code error;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".py") files.push_back(entry.path());
  }
  if (error) return fail("NoSuchFile", message("The folder {} can't be read", folder.string()), Forbids::Environment);
  std::sort(files.begin(), files.end());
  Library library;
  for (const auto& path : files) {
    std::ifstream in(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (!in) return fail("NoSuchFile", message("{} can't be read", path.string()), Forbids::Environment);
    if (auto ok = library.add(text, path.filename().string()); !ok) return tl::unexpected(ok.error());
  }
  return library;
}

}  // namespace loom::intrin
