#include "core/lower/lower.h"

#include <fmt/format.h>

#include <cstdlib>
#include <stdexcept>

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
      : lowering_(function, limits, use), results_(passes) {
    lowering_.keepsRegions = passes != nullptr;
  }

  Result<device::Program> kernels() {
    if (auto done = begin(); !done) return Failure(done.error());
    return finish();
  }

  // After `kernels` has failed: the draft. It begins where drafts part from kernels, with what both have in common. An
  // error that was found before is a draft's, too.
  Result<device::Program> draft(const Error& ofKernels) const {
    if (lowering_.sharesSums) {
      return Run(lowering_.function, lowering_.limits, Lowering::For::Draft, nullptr).kernels();
    }
    if (!parting_) return Failure(ofKernels);
    Run run(*parting_);
    run.lowering_.use = Lowering::For::Draft;
    return run.finish();
  }

  // Whether `kernels` failed in a way that a draft doesn't: elements of fragments are refused by `convert` at the
  // latest.
  bool refusedElements() const { return !converted_; }

  // The nests that become kernels, each with what it allocates; the passes on TensorIR are done.
  Result<std::vector<Nest>> nests() {
    if (auto done = begin(); !done) return Failure(done.error());
    if (auto done = overNests(true); !done) return Failure(done.error());
    return nests_;
  }

 private:
  // What `begin` leaves.
  struct Parting {
    Lowering lowering;
    std::vector<Nest> nests;
  };
  explicit Run(const Parting& parting) : lowering_(parting.lowering), nests_(parting.nests) {}

  // The passes up to the first one over nests that makes something else of drafts.
  Result<void> begin() {
    if (auto done = takeProgram(lowering_); !done) return done;
    Stmt whole = lowering_.function->body;
    for (const Pass& pass : passes()) {
      if (pass.over != Pass::Over::Program) continue;
      if (auto done = run(pass, whole); !done) return done;
      note(pass, whole);
    }
    auto split = splitIntoKernels(lowering_, whole);
    if (!split) return Failure(split.error());
    nests_ = std::move(*split);
    if (auto done = overNests(false); !done) return done;
    if (lowering_.use == Lowering::For::Kernels) parting_.emplace(Parting{lowering_, nests_});
    return {};
  }

  // Runs one pass.
  Result<void> run(const Pass& pass, Stmt& s) {
    try {
      return pass.run(lowering_, s);
    } catch (const std::domain_error& e) {  // of core/arith: a divisor that turns out to be 0
      return notAKernel(message("indices of {} can't be followed: {}", lowering_.function->name, e.what()));
    }
  }

  // The passes over nests that make something else of drafts, or those that don't, which stand before them.
  Result<void> overNests(bool partDrafts) {
    for (const Pass& pass : passes()) {
      if (pass.over != Pass::Over::Nest || pass.partsDrafts != partDrafts) continue;
      for (Nest& nest : nests_) {
        lowering_.allocations = nest.allocations;
        if (auto done = run(pass, nest.body); !done) return done;
      }
      if (results_) note(pass, wrap(seq(bodies())));
    }
    return {};
  }

  // The passes after `begin`.
  Result<device::Program> finish() {
    if (auto done = overNests(true); !done) return Failure(done.error());
    for (std::size_t i = 0; i < nests_.size(); ++i) {
      if (!nests_[i].body) continue;
      const std::string& name = lowering_.function->name;
      lowering_.name = nests_.size() == 1 ? name + "_kernel" : fmt::format("{}_kernel_{}", name, i);
      if (auto done = kernel(nests_[i].body); !done) return Failure(done.error());
    }
    packTemporaries(lowering_.program);
    return std::move(lowering_.program);
  }

  Result<void> kernel(Stmt nest) {
    unsigned form = 0;
    converted_ = false;
    for (const Pass& pass : passes()) {
      if (pass.over != Pass::Over::Kernel) continue;
      if (auto done = run(pass, nest); !done) return done;
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

  // Where TILELOOM_VERIFY_PASSES is set, as for the core's tests.
  Result<void> verified(const Pass& pass, unsigned form) const {
    static const bool asked = std::getenv("TILELOOM_VERIFY_PASSES") != nullptr;
    if (!asked) return {};
    if (auto fine = device::verify(lowering_.kernel.kernel, form); !fine) {
      Error error = fine.error();
      error.message = message("after the pass {}: {}", pass.name, error.message);
      return Failure(error);
    }
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

  std::vector<Stmt> bodies() const {
    std::vector<Stmt> all;
    for (const Nest& nest : nests_) all.push_back(nest.body);
    return all;
  }
  static Stmt wrap(Stmt body) {
    BlockNode root;
    root.name = "root";
    root.body = body ? std::move(body) : evaluate(intImm(0));
    return realize({}, boolImm(true), std::make_shared<const BlockNode>(std::move(root)));
  }

  Lowering lowering_;
  std::vector<Nest> nests_;
  std::optional<Parting> parting_;  // of a run for kernels
  std::vector<PassResult>* results_ = nullptr;
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
  if (run.refusedElements()) {
    if (auto drafted = run.draft(program.error())) return {std::move(program), std::move(*drafted)};
  }
  return {std::move(program), draftInLoops(function, limits)};
}

Result<std::vector<ir::Buffer>> allocatedBuffers(const Function& function) {
  auto nests = Run(function, {}, Lowering::For::Sizes, nullptr).nests();
  if (!nests) return Failure(nests.error());
  std::vector<Buffer> all;
  for (const Nest& nest : *nests) {
    if (!nest.body) continue;
    forEachStmt(nest.body, [&](const Stmt& s) {
      if (s->kind != StmtKind::BlockRealize) return true;
      const auto& allocs = asRealize(s)->block->allocs;
      all.insert(all.end(), allocs.begin(), allocs.end());
      return true;
    });
  }
  return all;
}

}  // namespace loom::lower
