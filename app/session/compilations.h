#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/session/known_fragment.h"
#include "app/session/model_device.h"
#include "app/session/programs.h"

namespace loom::session {

/// What the compiler makes of the states (the program after each step of its schedule) of the open target (lesson,
/// document or function): machine code with its registers, spills and shared memory, PTX, and the layouts of fragments.
/// The states that `want` has been called for are compiled in the background, the current one first. Pointers that the
/// functions return are valid until the next Session::poll, or until `cancel`, `reset` or `restart`.
class Compilations {
 public:
  /// The object keeps references to all arguments, which must outlive it.
  Compilations(Jobs& jobs, Tools& tools, ModelDevice& device, Programs& programs, const Documents& documents)
      : jobs_(jobs), tools_(tools), device_(device), programs_(programs), documents_(documents) {}

  /// Returns machine code, registers, spills and shared memory of a state, by its index in the history, or an error
  /// when the state could not be compiled. Returns null until that is known, and always for a state that is no kernel
  /// and where there is no compiler.
  const Result<compile::Binary>* of(int node) const;
  /// Returns the state's PTX, or why it could not be made. Returns null until that is known; the first call after the
  /// state's program has been made starts a background job that makes it. Returns null always if the state is no kernel
  /// or there is no compiler.
  const Result<PtxText>* ptx(int node);
  /// Returns the layout of a wmma fragment in the lanes' registers on the model's device; if it can't be found out (no
  /// compiler, a failed job), FragmentLayout says why. The first call starts a background job that finds it out;
  /// returns null until that has ended.
  std::shared_ptr<const FragmentLayout> fragment(const model::FragmentKind& kind);
  /// Returns why nothing can be compiled here; nothing if something can, or while that isn't known.
  const std::optional<Error>& problem() const { return problem_; }
  /// Returns whether it is known that there is no compiler here; `problem` then says why. A compiler is looked for when
  /// the first state is to be compiled.
  bool hasNoCompiler() const { return noCompiler_; }
  /// Returns whether a state has been compiled, is being compiled, or waits for the compiler.
  bool isWanted(int node) const { return wanted_.count(node) != 0; }
  /// Returns the GPU architecture to compile for: `wanted`, or if that is empty the compiler's default. Only the thread
  /// of `Queue::kCompilations` may call this.
  std::string architectureFor(const std::string& wanted) const;

  /// Has a state compiled. Nothing happens if that is done or under way, if the state's program hasn't been made yet,
  /// and if the state is no kernel or there is no compiler.
  void want(int node);
  /// Gives the compiler the next states, at most four, once it has none. To be called once a frame.
  void compileSome();

  /// Numbers of states: those compiled, and all to be compiled, since the compiler last had nothing to do. Both are 0
  /// while nothing is compiled.
  struct Progress {
    int done = 0, of = 0;
  };
  /// Returns how far the compilations have come.
  Progress progress();

  /// Ends the compilations under way and drops those that wait, which `want` must then ask for again. Results stay.
  void cancel();
  /// Does what `cancel` does, and drops all results, those on fragments too; states are then compiled again only where
  /// `want` asks.
  void reset();
  /// Does what `reset` does, because the device is another one, and has all states compiled whose programs are made.
  void restart();

 private:
  void end(bool forGood);
  void drop();

  Jobs& jobs_;
  Tools& tools_;
  ModelDevice& device_;
  Programs& programs_;
  const Documents& documents_;
  std::map<int, Result<compile::Binary>> binaries_;
  std::map<int, Result<PtxText>> ptx_;
  std::set<int> ptxWanted_;
  std::map<std::string, std::shared_ptr<const FragmentLayout>> fragments_;  ///< by kernelName; null: being made
  std::optional<Error> problem_;
  bool noCompiler_ = false;
  std::set<int> wanted_;
  std::vector<int> waiting_;                  ///< wanted, and not with the compiler yet
  int compiling_ = 0, done_ = 0, total_ = 0;  ///< numbers of states: with the compiler, and as in Progress
  int round_ = 0;                             ///< grows when the compilations under way are given up
};

}  // namespace loom::session
