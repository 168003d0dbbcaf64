#include "core/device/requirement.h"

#include <fmt/format.h>

#include <charconv>

#include "core/device/operation.h"
#include "core/ir/visit.h"

namespace loom::device {
namespace {

// 75 as "7.5".
std::string versionOf(int capability) { return fmt::format("{}.{}", capability / 10, capability % 10); }

class Newest {
 public:
  Requirement found;

  // PTX ISA, barrier.cluster: what comes with blocks that run together.
  void launch(const Kernel& k) {
    if (k.blocksOfCluster() > 1) add(90, "barrier.cluster");
  }
  void statement(const Stmt& s) {
    if (s->kind == StmtKind::Operation) operation(*as<OperationNode>(s));
    for (const Expr& e : expressionsOf(s)) {
      ir::forEachExpr(e, [&](const Expr& x) {
        const auto* call = ir::asCall(x);
        if (const DotRow* dot = call ? dotOf(*call) : nullptr) add(dot->since, std::string(dot->call));
      });
    }
  }

 private:
  void operation(const OperationNode& n) {
    add(n.row->since, std::string(n.row->name));
    // A product says more to people than what fills or stores its sum.
    if (n.row->only && (found.only.empty() || n.row->multiplies())) found.only = n.row->name;
    for (const BufferPlace& place : n.places)
      for (const ElementSince& later : n.row->later)
        if (place.buffer->dtype == later.element)
          add(later.since, fmt::format("{} of {}", n.row->name, later.element.str()));
  }
  void add(int since, std::string operation) {
    if (since <= found.since) return;
    found.since = since;
    found.operation = std::move(operation);
  }
};

}  // namespace

Requirement requirementOf(const Program& program) {
  Newest newest;
  for (const Kernel& k : program.kernels) {
    newest.launch(k);
    forEach(k.body, [&](const Stmt& s) {
      newest.statement(s);
      return true;
    });
  }
  return std::move(newest.found);
}

std::string onlyArchitecture(const Requirement& needs) {
  return needs.only.empty() ? std::string() : fmt::format("sm_{}a", needs.since);
}

Result<void> checkArchitecture(const Requirement& needs, const std::string& architecture) {
  constexpr std::string_view kPrefix = "sm_";
  if (!architecture.starts_with(kPrefix)) return {};
  int capability = 0;
  const char* first = architecture.data() + kPrefix.size();
  if (std::from_chars(first, architecture.data() + architecture.size(), capability).ec != std::errc{}) return {};
  if (!needs.only.empty() && capability == needs.since && !architecture.ends_with('a'))
    return fail(
        "OldArchitecture",
        message("{} exists in code for {} alone, which {} isn't", needs.only, onlyArchitecture(needs), architecture),
        Forbids::Hardware);
  if (!needs.only.empty() && capability > needs.since)
    return fail("OldArchitecture",
                message("{} exists on GPUs of compute capability {} alone, and {} has {}", needs.only,
                        versionOf(needs.since), architecture, versionOf(capability)),
                Forbids::Hardware);
  if (capability >= needs.since) return {};
  return fail("OldArchitecture",
              message("{} exists from compute capability {} on, and {} has {}",
                      needs.only.empty() ? needs.operation : needs.only, versionOf(needs.since), architecture,
                      versionOf(capability)),
              Forbids::Hardware);
}

}  // namespace loom::device
