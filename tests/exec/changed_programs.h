// Lowered programs with some statements changed or dropped, and what the executor, which runs device programs on the
// CPU, finds wrong in them.
#pragma once
#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "core/device/build.h"
#include "core/exec/execute.h"
#include "core/exec/reference.h"

namespace loom::exec {

// A change of a statement: returns the statement to put in its place; null drops it.
using Change = std::function<device::Stmt(const device::Stmt&)>;
// Returns a copy of `program` in which each statement for which `wanted` returns true is replaced by what `change`
// returns for it. Statements within a replaced one aren't visited. The test fails if there is no such statement.
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
// Returns a predicate for the synchronization statements that do `does` (wait, commit, arrive, …) with `token`.
inline std::function<bool(const device::Stmt&)> syncs(device::SyncDoes does, device::Token token) {
  return [=](const device::Stmt& s) {
    if (s->kind != device::StmtKind::Sync) return false;
    const auto& n = *device::as<device::SyncNode>(s);
    return n.does == does && n.token == token;
  };
}
// Returns a predicate for the n-th statement, from 0, that `wanted` accepts. It and its copies count together what
// `wanted` has accepted, so they are for one walk.
inline std::function<bool(const device::Stmt&)> nth(int n, std::function<bool(const device::Stmt&)> wanted) {
  auto left = std::make_shared<int>(n);
  return [left, wanted](const device::Stmt& s) { return wanted(s) && (*left)-- == 0; };
}
// The change that drops a statement.
inline device::Stmt nothing(const device::Stmt&) { return nullptr; }
// Returns the change that copies a synchronization statement and lets `f` edit the copy, a SyncNode.
template <class F>
Change sync(F f) {
  return [f](const device::Stmt& s) { return device::edit<device::SyncNode>(s, f); };
}

// The findings of two executions: one in which asynchronous operations happen when they are started (`early`), and one
// in which they happen when they are awaited (`late`).
struct Found {
  std::vector<Finding> early, late;
  std::vector<Finding> all() const {
    std::vector<Finding> both = early;
    both.insert(both.end(), late.begin(), late.end());
    return both;
  }
  // Returns the first finding of a kind in `of`; null if there is none.
  const Finding* first(Finding::Kind kind, const std::vector<Finding>& of) const {
    const auto found = std::ranges::find(of, kind, &Finding::kind);
    return found == of.end() ? nullptr : &*found;
  }
  // Returns the first finding of a kind as an English sentence, from `late` with `atLatest`, else from `early`; "" if
  // there is none.
  std::string text(Finding::Kind kind, bool atLatest = false) const {
    const Finding* f = first(kind, atLatest ? late : early);
    return f ? describe(*f).english() : "";
  }
  // Returns all findings as English sentences, one a line.
  std::string texts() const {
    std::string text;
    for (const Finding& f : all()) text += describe(f).english() + "\n";
    return text;
  }
};

// Executes the program twice, with asynchronous operations happening early and late (Found), on the inputs of
// `reference`, and returns the findings. Throws if the program can't be prepared or executed.
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
