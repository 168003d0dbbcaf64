#include "core/document/own_intrinsics.h"

#include <fmt/format.h>

#include "core/script/parser.h"

namespace loom::document {
namespace {

std::string identifier(const std::string& name, const char* end) {
  std::string text = name;
  for (char& c : text) {
    const bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (!fits) c = '_';
  }
  return (text.empty() || (text[0] >= '0' && text[0] <= '9') ? "_" : "") + text + end;
}

}  // namespace

schedule::Environment environmentOf(const Target& target, const schedule::Environment& environment) {
  return target.own ? schedule::Environment{&target.own->library} : environment;
}

Result<std::shared_ptr<const OwnIntrinsics>> ownIntrinsics(std::vector<notebook::RegisteredIntrinsic> registered,
                                                           const schedule::Environment& environment) {
  if (registered.empty()) return std::shared_ptr<const OwnIntrinsics>();
  auto library = notebook::libraryWith(environment, registered);
  if (!library) return Failure(library.error());
  return std::make_shared<const OwnIntrinsics>(OwnIntrinsics{std::move(registered), std::move(*library)});
}

std::string descriptionName(const notebook::RegisteredIntrinsic& i) { return identifier(i.name, "_desc"); }
std::string implementationName(const notebook::RegisteredIntrinsic& i) { return identifier(i.name, "_impl"); }

std::string intrinsicText(const notebook::RegisteredIntrinsic& i) {
  return notebook::functionText(i.description, descriptionName(i)) + "\n\n" +
         notebook::functionText(i.implementation, implementationName(i));
}

Result<notebook::RegisteredIntrinsic> readIntrinsic(const std::string& name, const std::string& text,
                                                    const std::string& file) {
  auto functions = script::parseFunctions(text, file);
  if (!functions) return Failure(functions.error());
  if (functions->size() != 2) {
    return fail("ParseError",
                message("expected two functions, a description and an implementation; found {}", functions->size()),
                Forbids::Input);
  }
  return notebook::RegisteredIntrinsic{name, (*functions)[0], (*functions)[1]};
}

}  // namespace loom::document
