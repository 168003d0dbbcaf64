#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <stop_token>
#include <utility>

#include "app/session/models.h"
#include "app/session/navigation.h"
#include "app/session/proposals.h"

namespace loom::session {

/// The search for steps (calls of schedule primitives) that, by the model's predicted time, make the current state
/// faster. A state is the program after some steps. The search runs on the thread of Queue::kProposals.
class ProposalSearch {
 public:
  /// The object keeps references to all arguments, which must outlive it.
  ProposalSearch(Jobs& jobs, Tools& tools, ModelDevice& device, Programs& programs, Models& models,
                 Comparison& comparison, Navigation& navigation, Documents& documents)
      : jobs_(jobs),
        tools_(tools),
        device_(device),
        programs_(programs),
        models_(models),
        comparison_(comparison),
        navigation_(navigation),
        documents_(documents) {}

  /// Returns the proposals for the current state. Panels call this in each frame: the first call has the state's model
  /// made, and the first one after the model is final (Models::isFinal) starts a search. A search that isn't done when
  /// the user goes to another state is stopped, and its results are dropped; later, that state is searched anew.
  /// Returns null until there are results, and always if the state is no kernel or the model has no time for it. While
  /// searches are disabled, and while the other side of a comparison is drawn (panels with the state compared with,
  /// Comparison::OtherSide), no search starts, and only earlier results are returned.
  std::shared_ptr<const Proposals> proposals();
  /// Sets whether `proposals` starts searches, each of which takes tens of seconds of a core. Initially it does.
  void setEnabled(bool enabled);
  /// Makes the next call of `proposals` search the current state, unless it has been searched, even if searches are
  /// disabled.
  void searchHere();
  /// Returns whether there are no proposals for the current state only because searches are disabled.
  bool isLeftOut();
  /// Returns whether a search is under way, which may find more proposals. False while the other side of a comparison
  /// is drawn.
  bool isRunning() const;
  /// Returns how many programs the current state's search has tried, and how many it tries in all; both 0 without a
  /// search, after `cancel`, and while the other side of a comparison is drawn.
  std::pair<int, int> progress() const;

  /// Ends the search if the current state is another one. To be called once a frame.
  void follow();
  /// Stops the search and keeps what it has found while the user stays at the current state, which isn't searched again
  /// before the user has left it.
  void cancel();
  /// Stops the search. Its proposals are kept if it was done, and dropped otherwise.
  void end();
  /// Ends the search and drops all proposals.
  void reset();

 private:
  /// Ends a search from any thread.
  struct Stop {
    std::atomic<bool> flag = false;
    std::stop_source source;            ///< stops the execution of a candidate program on the CPU
    std::atomic<int> done = 0, of = 0;  ///< programs tried, and all programs to try
  };
  /// The search of one state.
  struct Search {
    std::shared_ptr<const Program> from;    ///< program of the searched state; null: no search
    std::uint64_t device = 0;               ///< ModelDevice::generation when the search began
    std::shared_ptr<const Proposals> made;  ///< the latest proposals; null: none yet
    std::shared_ptr<Stop> stop;             ///< null: no search
    bool ended = false;                     ///< whether its job is over, however it ended
  };

  Jobs& jobs_;
  Tools& tools_;
  ModelDevice& device_;
  Programs& programs_;
  Models& models_;
  Comparison& comparison_;
  Navigation& navigation_;
  Documents& documents_;
  Search search_;
  bool enabled_ = true;
  std::shared_ptr<const Program> searchedAnyway_;  ///< program of the state that `searchHere` was called for
  std::deque<Search> done_;                        ///< finished searches of states that are no longer the current one
};

}  // namespace loom::session
