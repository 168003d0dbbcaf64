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

/// The programs of the open target's states, made in the background.
class Programs {
 public:
  Programs(const Options& options, Jobs& jobs, const Documents& documents)
      : options_(options), jobs_(jobs), documents_(documents) {}

  /// Returns the program of a state. Null until it is there; the first call has it made.
  std::shared_ptr<const Program> of(int node);
  /// Returns the program of a state if it is there, else null.
  std::shared_ptr<const Program> known(int node) const;
  const std::map<int, std::shared_ptr<const Program>>& all() const { return programs_; }

  /// Has the program of a state made, in its turn: a history may have thousands of states, each of which takes a copy
  /// of its path.
  void want(int node);
  void wantAll();
  /// Begins what `want` has asked for. To be called once a frame.
  void makeSome();

  /// A state whose program is new.
  struct Fresh {
    int node = 0;
    bool isGivenUp = false;  ///< `giveUp` was called while the program was made: compile it when the user comes to it
  };
  std::vector<Fresh> takeFresh() { return std::exchange(fresh_, {}); }
  /// Counts all programs as new.
  void renew();

  /// Gives up what has not begun; states that are shown later are asked for anew.
  void cancel();
  /// What is compiled was given up.
  void giveUp() { ++round_; }
  /// Forgets all programs; the target's history is another one.
  void reset();

 private:
  void make(int node);

  const Options& options_;
  Jobs& jobs_;
  const Documents& documents_;
  std::map<int, std::shared_ptr<const Program>> programs_;
  std::set<int> asked_;
  std::deque<int> waiting_;  ///< to be made when those asked for are there
  std::vector<Fresh> fresh_;
  int round_ = 0;
};

}  // namespace loom::session
