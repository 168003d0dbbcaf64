#include "app/panels/lesson/view/pointer_target.h"

#include <algorithm>

#include "app/panels/code/view/code.h"

namespace loom::session {
namespace {

Failure none(Message what) { return fail("NoSuchPlace", std::move(what), Forbids::Input); }

// The first line that has the text, and what it is about.
Result<PointerTarget> inCode(PointerTarget place, const std::string& text, const Program& program) {
  const bool cuda = place.panel == "cuda";
  if (cuda && program.kernel.problem) return none(message("The state is no kernel"));
  const std::vector<std::string>& lines = cuda ? textsOf(program).cuda : textsOf(program).script;
  const auto found = std::find_if(lines.begin(), lines.end(),
                                  [&](const std::string& line) { return line.find(text) != std::string::npos; });
  if (found == lines.end()) return none(message("No line of the code has \"{}\"", text));
  place.line = int(found - lines.begin());
  place.ids = cuda ? idsOfCudaLine(program.kernel, place.line + 1)
                   : idsOfScript(*program.script, lines.size())[std::size_t(place.line)];
  return place;
}

const MovedBytes* moved(const Program& program, const std::string& buffer, std::optional<bool> write) {
  for (const NestRow& row : nestOf(program).rows) {
    for (const MovedBytes& m : row.moved) {
      if (m.name == buffer && (!write || m.write == *write)) return &m;
    }
  }
  return nullptr;
}

Result<PointerTarget> inThreads(PointerTarget place, std::string target, const Program& program) {
  if (program.kernel.problem) return none(message("The state is no kernel"));
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
  const MovedBytes* statement = moved(program, place.buffer, place.write);
  if (statement == nullptr) {
    return none(place.write ? message("No statement writes {}", place.buffer)
                            : message("No statement reads {}", place.buffer));
  }
  const bool fits = place.part == "banks"     ? statement->level == MemoryLevel::kShared
                    : place.part == "sectors" ? statement->level == MemoryLevel::kGlobal
                                              : true;
  if (!fits) return none(message("{} has no {}", place.buffer, place.part));
  place.ids = {statement->buffer};
  return place;
}

}  // namespace

Result<PointerTarget> placeOf(const document::Pointer& pointer, const Program& program) {
  PointerTarget place;
  place.panel = pointer.panel;
  const std::string& target = pointer.target;
  if (target.empty()) return place;
  if (pointer.panel == "tvmscript" || pointer.panel == "cuda") return inCode(std::move(place), target, program);
  if (pointer.panel == "threads") return inThreads(std::move(place), target, program);
  if (pointer.panel == "loopnest") {
    for (const NestRow& row : nestOf(program).rows) {
      if (row.name != target || row.kind == NestRow::Kind::kInit) continue;
      place.ids = {row.id};
      return place;
    }
    return none(message("There is no loop or block \"{}\"", target));
  }
  place.part = target;
  if (pointer.panel == "performance") {
    const bool kernel = target == "steps" || target == "roofline" || target == "compare" || target == "sizes";
    if (!kernel && program.kernel.problem) return none(message("The state is no kernel"));
    return place;
  }
  for (const char* level : {"global", "l2", "shared", "registers", "tensorcore"}) {
    if (target == level) return place;
  }
  const MovedBytes* buffer = moved(program, target, std::nullopt);
  if (buffer == nullptr) return none(message("There is no buffer \"{}\"", target));
  place.ids = {buffer->buffer};
  return place;
}

}  // namespace loom::session
