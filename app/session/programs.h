#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "app/session/documents.h"
#include "app/session/jobs.h"
#include "app/session/program.h"

namespace loom::session {

/// The programs of the states of the open target (lesson, document or function): each state, the result of some
/// schedule steps, lowered to a kernel and printed as TVMScript and CUDA (program.h; it says so if there is no kernel).
/// They are made in the background. All functions must be called from the UI thread, with states of the history.
class Programs {
 public:
  /// The object keeps references to all arguments, which must outlive it.
  Programs(const Options& options, Jobs& jobs, const Documents& documents)
      : options_(options), jobs_(jobs), documents_(documents) {}

  /// Returns the program of a state, by the state's index in the history. Returns null until the program has been made,
  /// and without a target; the first call starts a background job that makes it.
  std::shared_ptr<const Program> of(int node);
  /// Returns the program of a state if it has been made, or else null.
  std::shared_ptr<const Program> known(int node) const;
  /// Returns the programs made so far, by the state's index in the history.
  const std::map<int, std::shared_ptr<const Program>>& all() const { return programs_; }

  /// Puts a state on the waiting list, unless 2000 programs are made or waiting. `makeSome` starts few programs at a
  /// time, because a history may have thousands of states, and each waiting job holds a copy of the path to its state.
  void want(int node);
  /// Puts all states of the history on the waiting list.
  void wantAll();
  /// Starts programs from the waiting list. Session::poll calls it once a frame.
  void makeSome();

  /// A state whose program has been made since the last `takeFresh`.
  struct Fresh {
    int node = 0;  ///< index of the state in the history
    /// Whether `giveUp` was called while the program was made. The program is then not compiled until the user goes to
    /// its state.
    bool isGivenUp = false;
  };
  /// Returns the states whose programs have been made since the last call, in the order in which they were made.
  std::vector<Fresh> takeFresh() { return std::exchange(fresh_, {}); }
  /// Makes the next `takeFresh` return all programs, so that all are looked up and compiled again.
  void renew();

  /// Drops the jobs of Queue::kPrograms that have not begun, also those of other parts of the session, and empties the
  /// waiting list. `of` starts a program again when its state is shown.
  void cancel();
  /// Notes that compilations were cancelled. See Fresh::isGivenUp.
  void giveUp() { ++round_; }
  /// Drops all programs and the waiting list, because the history is another one. Drops also the jobs of
  /// Queue::kPrograms that have not begun, unless a target is being opened, which is a job of that queue, too.
  void reset();

 private:
  void make(int node);

  const Options& options_;
  Jobs& jobs_;
  const Documents& documents_;
  std::map<int, std::shared_ptr<const Program>> programs_;
  std::set<int> asked_;      ///< states whose programs are made or being made
  std::deque<int> waiting_;  ///< states whose programs are made when most of those being made are done
  std::vector<Fresh> fresh_;
  int round_ = 0;  ///< number of calls of `giveUp`
};

}  // namespace loom::session
