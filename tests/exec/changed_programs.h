// Lowered programs with one thing changed, and what the executor finds in them.
#pragma once
#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "core/device/build.h"
#include "core/exec/execute.h"
#include "core/exec/reference.h"

namespace loom::exec {

// The program with each statement that `wanted` picks replaced by what `change` makes of it; fails where none is.
using Change = std::function<device::Stmt(const device::Stmt&)>;
inline device::Program changed(const device::Program& program, const std::function<bool(const device::Stmt&)>& wanted,
                               const Change& change) {
  device::Program out = program;
  int found = 0;
  const std::function<device::Stmt(const device::Stmt&)> walk = [&](const device::Stmt& s) -> device::Stmt {
    if (!wanted(s)) return device::mapChildren(s, walk);
    ++found;
    return change(s);
  };
  for (device::Kernel& k : out.kernels) k.body = walk(k.body);
  EXPECT_GT(found, 0) << "nothing to change";
  return out;
}
inline std::function<bool(const device::Stmt&)> syncs(device::SyncDoes does, device::Token token) {
  return [=](const device::Stmt& s) {
    if (s->kind != device::StmtKind::Sync) return false;
    const auto& n = *device::as<device::SyncNode>(s);
    return n.does == does && n.token == token;
  };
}
// Of those that `wanted` picks the n-th alone.
inline std::function<bool(const device::Stmt&)> nth(int n, std::function<bool(const device::Stmt&)> wanted) {
  auto left = std::make_shared<int>(n);
  return [left, wanted](const device::Stmt& s) { return wanted(s) && (*left)-- == 0; };
}
inline device::Stmt nothing(const device::Stmt&) { return nullptr; }
template <class F>
Change sync(F f) {
  return [f](const device::Stmt& s) { return device::edit<device::SyncNode>(s, f); };
}

struct Found {
  std::vector<Finding> early, late;
  std::vector<Finding> all() const {
    std::vector<Finding> both = early;
    both.insert(both.end(), late.begin(), late.end());
    return both;
  }
  // The first of this kind; null where there is none.
  const Finding* first(Finding::Kind kind, const std::vector<Finding>& of) const {
    const auto found = std::ranges::find(of, kind, &Finding::kind);
    return found == of.end() ? nullptr : &*found;
  }
  std::string text(Finding::Kind kind, bool atLatest = false) const {
    const Finding* f = first(kind, atLatest ? late : early);
    return f ? describe(*f).english() : "";
  }
  std::string texts() const {
    std::string text;
    for (const Finding& f : all()) text += describe(f).english() + "\n";
    return text;
  }
};

// What is found where copies land as early as they may, and as late.
inline Found foundIn(const device::Program& program, const Reference& reference) {
  const auto executable = prepare(program).value();
  Found found;
  for (Landing landing : {Landing::Early, Landing::Late}) {
    GlobalMemory memory(executable, reference.contents(), {});
    (landing == Landing::Early ? found.early : found.late) = execute(executable, {}, memory, {}, landing).value();
  }
  return found;
}

}  // namespace loom::exec
