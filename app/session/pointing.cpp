#include "app/session/pointing.h"

#include <fmt/format.h>

#include <algorithm>

namespace loom::workbench {
namespace {

Failure none(const std::string& what) { return fail("NoSuchPlace", what, Forbids::Input); }

// The first line that has the text, and what it is about.
Result<PointerTarget> inCode(PointerTarget place, const std::string& text, const Derived& derived) {
  const bool cuda = place.panel == "cuda";
  if (cuda && derived.kernel.problem) return none("The state is no kernel");
  const std::vector<std::string>& lines = cuda ? derived.cuda : derived.script;
  const auto found = std::find_if(lines.begin(), lines.end(),
                                  [&](const std::string& line) { return line.find(text) != std::string::npos; });
  if (found == lines.end()) return none(fmt::format("No line of the code has \"{}\"", text));
  place.line = int(found - lines.begin());
  place.ids =
      cuda ? idsOfCudaLine(derived, place.line + 1) : idsOfScript(*derived.code, lines.size())[std::size_t(place.line)];
  return place;
}

const MovedBytes* moved(const Derived& derived, const std::string& buffer, std::optional<bool> write) {
  for (const NestRow& row : derived.nest.rows) {
    for (const MovedBytes& m : row.moved) {
      if (m.name == buffer && (!write || m.write == *write)) return &m;
    }
  }
  return nullptr;
}

Result<PointerTarget> inThreads(PointerTarget place, std::string target, const Derived& derived) {
  if (derived.kernel.problem) return none("The state is no kernel");
  for (const bool write : {false, true}) {
    const std::string verb = write ? "write/" : "read/";
    if (!target.starts_with(verb)) continue;
    const std::size_t end = std::min(target.find('/', verb.size()), target.size());
    place.buffer = target.substr(verb.size(), end - verb.size());
    place.write = write;
    target = end < target.size() ? target.substr(end + 1) : "";
    break;
  }
  place.part = target;
  if (place.buffer.empty()) return place;
  const MovedBytes* statement = moved(derived, place.buffer, place.write);
  if (statement == nullptr) {
    return none(fmt::format("No statement {} {}", place.write ? "writes" : "reads", place.buffer));
  }
  const bool fits = place.part == "banks"     ? statement->level == MemoryLevel::kShared
                    : place.part == "sectors" ? statement->level == MemoryLevel::kGlobal
                                              : true;
  if (!fits) return none(fmt::format("{} has no {}", place.buffer, place.part));
  place.ids = {statement->buffer};
  return place;
}

}  // namespace

Result<PointerTarget> placeOf(const document::Pointer& pointer, const Derived& derived) {
  PointerTarget place;
  place.panel = pointer.panel;
  const std::string& target = pointer.target;
  if (target.empty()) return place;
  if (pointer.panel == "tvmscript" || pointer.panel == "cuda") return inCode(std::move(place), target, derived);
  if (pointer.panel == "threads") return inThreads(std::move(place), target, derived);
  if (pointer.panel == "loopnest") {
    for (const NestRow& row : derived.nest.rows) {
      if (row.name != target || row.kind == NestRow::Kind::kInit) continue;
      place.ids = {row.id};
      return place;
    }
    return none(fmt::format("There is no loop or block \"{}\"", target));
  }
  place.part = target;
  if (pointer.panel == "performance") {
    const bool kernel = target == "steps" || target == "roofline" || target == "compare" || target == "sizes";
    if (!kernel && derived.kernel.problem) return none("The state is no kernel");
    return place;
  }
  for (const char* level : {"global", "l2", "shared", "registers", "tensorcore"}) {
    if (target == level) return place;
  }
  const MovedBytes* buffer = moved(derived, target, std::nullopt);
  if (buffer == nullptr) return none(fmt::format("There is no buffer \"{}\"", target));
  place.ids = {buffer->buffer};
  return place;
}

std::vector<std::vector<ir::Id>> idsOfScript(const script::Script& script, std::size_t lines) {
  using What = script::Span::What;
  std::vector<std::vector<ir::Id>> ids(lines);
  for (const script::Span& span : script.spans) {
    const bool whole = span.what == What::Function || span.what == What::LoopBody || span.what == What::BlockBody;
    if (whole || !span.id) continue;
    for (int line = span.line0; line <= span.line1 && line < int(lines); ++line) {
      auto& here = ids[std::size_t(line)];
      if (std::find(here.begin(), here.end(), span.id) == here.end()) here.push_back(span.id);
    }
  }
  return ids;
}

std::vector<ir::Id> idsOfCudaLine(const Derived& derived, int line) {
  std::vector<ir::Id> ids;
  const auto& origins = derived.kernel.source.lines;
  if (line < 1 || line > int(origins.size())) return ids;
  const codegen::LineOrigin& origin = origins[std::size_t(line - 1)];
  // The innermost loop is what a line is about; the loops around it would light up everything.
  if (!origin.ids.empty()) ids.push_back(origin.ids.back());
  if (origin.block && (ids.empty() || ids.back() != origin.block)) ids.push_back(origin.block);
  return ids;
}

}  // namespace loom::workbench
