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

/// What the compiler makes of states: registers, spills and shared memory, PTX, and the layouts of fragments. Compiled
/// beside measurements, the shown state first.
class Compilations {
 public:
  Compilations(Jobs& jobs, Tools& tools, ModelDevice& device, Programs& programs, const Documents& documents)
      : jobs_(jobs), tools_(tools), device_(device), programs_(programs), documents_(documents) {}

  /// Returns registers, spills and shared memory of a state, or an error when it could not be compiled. Null until that
  /// is known, and for good where there is no compiler.
  const Result<compile::Binary>* of(int node) const;
  /// Returns the state's PTX, or why there is none. Null until that is known; the first call asks for it.
  const Result<PtxText>* ptx(int node);
  /// Returns how a wmma fragment lies in the lanes' registers on the device that the model answers for. Null until that
  /// is known; the first call asks for it.
  std::shared_ptr<const FragmentLayout> fragment(const model::FragmentKind& kind);
  /// Returns why nothing can be compiled here; none while that isn't known.
  const std::optional<Error>& problem() const { return problem_; }
  /// Returns whether there is no compiler here.
  bool hasNoCompiler() const { return noCompiler_; }
  /// Returns whether a state was given to the compiler, or waits for it.
  bool isWanted(int node) const { return wanted_.count(node) != 0; }
  /// Returns the architecture that programs are compiled for: `wanted`, or the compiler's own where that is empty. For
  /// the compilations' thread.
  std::string architectureFor(const std::string& wanted) const;

  /// Has a state compiled, unless that is done, under way or impossible.
  void want(int node);
  /// Gives the compiler its next states. To be called once a frame.
  void compileSome();

  /// How far the compilation of states is. All 0: nothing is compiled.
  struct Progress {
    int done = 0, of = 0;
  };
  Progress progress();

  /// Ends what is under way and forgets what waits; states are compiled when the user comes to them.
  void cancel();
  /// Forgets what is known of all states.
  void reset();
  /// The same because the device is another one, and has all states compiled anew.
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
  std::map<std::string, std::shared_ptr<const FragmentLayout>> fragments_;  ///< by kernelName; null: asked for
  std::optional<Error> problem_;
  bool noCompiler_ = false;
  std::set<int> wanted_;
  std::vector<int> waiting_;                  ///< wanted, and not with the compiler yet
  int compiling_ = 0, done_ = 0, total_ = 0;  ///< states: with the compiler; since none was; wanted since
  int round_ = 0;                             ///< grows when what is under way is given up
};

}  // namespace loom::session
