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

/// The search for steps that make the current state faster. It runs on a thread of its own, and has programs compiled
/// and modelled on the threads for that.
class ProposalSearch {
 public:
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

  /// Returns the proposals for the current state. The first call at a state starts a search, which ends when the user
  /// goes to another state; what it has found is kept. Returns null until there are results, and always if the state is
  /// no kernel or the model has no time for it.
  std::shared_ptr<const Proposals> proposals();
  /// Sets whether `proposals` starts searches, each of which takes tens of seconds of a core. Initially it does.
  void setEnabled(bool enabled);
  /// Searches the current state even if searches are disabled.
  void searchHere();
  /// Returns whether there are no proposals for the current state only because searches are disabled.
  bool isLeftOut();
  /// Returns whether there will be more proposals.
  bool isRunning() const;
  /// Returns how many programs the search under way has tried, and how many there are; both 0 without a search.
  std::pair<int, int> progress() const;

  /// Ends the search if the current state is another one. To be called once a frame.
  void follow();
  /// Ends the search and keeps what it has found; the current state is not searched again.
  void cancel();
  /// Ends the search and drops its proposals, unless it is done.
  void end();
  /// Ends the search and drops all proposals.
  void reset();

 private:
  /// Ends a search from any thread.
  struct Stop {
    std::atomic<bool> flag = false;
    std::stop_source source;            ///< of what is executed
    std::atomic<int> done = 0, of = 0;  ///< programs
  };
  struct Search {
    std::shared_ptr<const Program> from;
    std::uint64_t device = 0;  ///< ModelDevice::generation
    std::shared_ptr<const Proposals> made;
    std::shared_ptr<Stop> stop;
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
  std::shared_ptr<const Program> searchedAnyway_;  ///< the state that is searched all the same
  std::deque<Search> done_;                        ///< of states left since
};

}  // namespace loom::session
