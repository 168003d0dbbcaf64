#include "core/lower/lower.h"

#include <fmt/format.h>

#include "core/device/build.h"
#include "core/device/declared.h"
#include "core/device/verify.h"
#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/lower/packed_bytes.h"
#include "core/lower/pass_table.h"
#include "core/lower/sequential.h"
#include "core/script/printer.h"

namespace loom::lower {
namespace {

using namespace ir;

// Runs the passes in their order: those over the program once, those over nests on each, those over kernels one kernel
// after the other.
class Run {
 public:
  Run(const Function& function, const Limits& limits, Lowering::For use, std::vector<PassResult>* passes)
      : lowering_(function, limits, use), results_(passes) {}

  Result<device::Program> kernels() {
    auto all = nests();
    if (!all) return Failure(all.error());
    for (std::size_t i = 0; i < all->size(); ++i) {
      if (!(*all)[i]) continue;
      const std::string& name = lowering_.function->name;
      lowering_.name = all->size() == 1 ? name + "_kernel" : fmt::format("{}_kernel_{}", name, i);
      if (auto done = kernel((*all)[i]); !done) return Failure(done.error());
    }
    packTemporaries(lowering_.program);
    return std::move(lowering_.program);
  }

  // Whether `kernels` failed in a way that a draft doesn't: elements of fragments are refused by `convert` at the
  // latest.
  bool refusedElements() const { return !converted_; }

  // The nests that become kernels, each with what it allocates; the passes on TensorIR are done.
  Result<std::vector<Stmt>> nests() {
    if (auto done = takeProgram(lowering_); !done) return Failure(done.error());
    Stmt whole = lowering_.function->body;
    for (const Pass& pass : passes()) {
      if (pass.over != Pass::Over::Program) continue;
      if (auto done = pass.run(lowering_, whole); !done) return Failure(done.error());
      note(pass, whole);
    }
    auto split = splitIntoKernels(lowering_, whole);
    if (!split) return Failure(split.error());
    std::vector<Stmt> nests;
    for (const Nest& nest : *split) nests.push_back(nest.body);
    for (const Pass& pass : passes()) {
      if (pass.over != Pass::Over::Nest) continue;
      for (std::size_t i = 0; i < nests.size(); ++i) {
        lowering_.allocations = (*split)[i].allocations;
        if (auto done = pass.run(lowering_, nests[i]); !done) return Failure(done.error());
      }
      note(pass, wrap(seq(nests)));
    }
    return nests;
  }

 private:
  Result<void> kernel(Stmt nest) {
    unsigned form = 0;
    converted_ = false;
    for (const Pass& pass : passes()) {
      if (pass.over != Pass::Over::Kernel) continue;
      if (auto done = pass.run(lowering_, nest); !done) return done;
      converted_ = true;
      form |= pass.form;
      if (auto fine = verified(pass, form); !fine) return fine;
      note(pass);
    }
    ConvertedKernel& k = lowering_.kernel;
    if (auto declared = device::checkDeclared(k.kernel); !declared) return declared;
    k.kernel.body = device::numbered(k.kernel.body, statements_);
    device::Program& program = lowering_.program;
    for (auto& t : k.temporaries) program.host.temporaries.push_back(t);
    for (auto& r : k.remarks) device::addRemark(program.remarks, std::move(r));
    program.host.launches.push_back(int(program.kernels.size()));
    program.kernels.push_back(std::move(k.kernel));
    return {};
  }

  // In builds with assertions, which the core's tests run in.
  Result<void> verified([[maybe_unused]] const Pass& pass, [[maybe_unused]] unsigned form) const {
#ifndef NDEBUG
    if (auto fine = device::verify(lowering_.kernel.kernel, form); !fine) {
      Error error = fine.error();
      error.message = message("after the pass {}: {}", pass.name, error.message);
      return Failure(error);
    }
#endif
    return {};
  }

  void note(const Pass& pass, const Stmt& body) {
    if (!results_) return;
    auto function = edit(*lowering_.function,
                         [&](FunctionNode& f) { f.body = std::static_pointer_cast<const BlockRealizeNode>(body); });
    results_->push_back({std::string(pass.name), script::print(Module{{function}, {}}).text + "\n"});
  }
  void note(const Pass& pass) {
    if (!results_) return;
    device::Program one;
    one.name = lowering_.program.name;
    one.kernels = {lowering_.kernel.kernel};
    results_->push_back({std::string(pass.name), device::print(one)});
  }

  static Stmt wrap(Stmt body) {
    BlockNode root;
    root.name = "root";
    root.body = body ? std::move(body) : evaluate(intImm(0));
    return realize({}, boolImm(true), std::make_shared<const BlockNode>(std::move(root)));
  }

  Lowering lowering_;
  std::vector<PassResult>* results_;
  int statements_ = 0;      // of the kernels that are finished
  bool converted_ = false;  // whether `convert`, the first pass over kernels, has made the current one
};

// A draft of what the function is with loops in place of its calls: what is a call on the registers of lanes here and a
// loop over a warp's elements there has one form then. Nothing if there is none, or if the function has no such calls.
std::optional<device::Program> draftInLoops(const Function& function, const Limits& limits) {
  const auto loops = callsAsLoops(function);
  if (!loops || (*loops)->body == function->body) return std::nullopt;
  auto program = Run(*loops, limits, Lowering::For::Draft, nullptr).kernels();
  return program ? std::optional(std::move(*program)) : std::nullopt;
}

}  // namespace

Result<device::Program> lower(const Function& function, const Limits& limits, std::vector<PassResult>* passes) {
  return Run(function, limits, Lowering::For::Kernels, passes).kernels();
}

Result<device::Program> draft(const Function& function, const Limits& limits) {
  auto program = Run(function, limits, Lowering::For::Draft, nullptr).kernels();
  if (program) return program;
  auto inLoops = draftInLoops(function, limits);
  return inLoops ? std::move(*inLoops) : std::move(program);
}

Lowered lowerOrDraft(const Function& function, const Limits& limits) {
  Run run(function, limits, Lowering::For::Kernels, nullptr);
  auto program = run.kernels();
  if (program) return {std::move(program), {}};
  if (!run.refusedElements()) return {std::move(program), draftInLoops(function, limits)};
  auto drafted = draft(function, limits);
  return {std::move(program), drafted ? std::optional(std::move(*drafted)) : std::nullopt};
}

Result<std::vector<ir::Buffer>> allocatedBuffers(const Function& function) {
  auto nests = Run(function, {}, Lowering::For::Sizes, nullptr).nests();
  if (!nests) return Failure(nests.error());
  std::vector<Buffer> all;
  for (const Stmt& nest : *nests) {
    if (!nest) continue;
    forEachStmt(nest, [&](const Stmt& s) {
      if (s->kind != StmtKind::BlockRealize) return true;
      const auto& allocs = asRealize(s)->block->allocs;
      all.insert(all.end(), allocs.begin(), allocs.end());
      return true;
    });
  }
  return all;
}

}  // namespace loom::lower
