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

/// The search for what could be done next to be faster, in a thread of its own, with the threads that compile and
/// model.
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

  /// Returns what could be done at the current state to be faster. The first call at a state has it searched for in the
  /// background; the search is given up when one leaves the state, and what was found is kept. Null until something is
  /// there, and for good where the state is no kernel or the model has no time for it.
  std::shared_ptr<const Proposals> proposals();
  /// Whether states are searched at all, tens of seconds of a core at each state that one rests at; otherwise only what
  /// is known already is given. At first they are.
  void setEnabled(bool enabled);
  /// Searches the current state all the same.
  void searchHere();
  /// Returns whether nothing is known of the current state because nothing is searched.
  bool isLeftOut();
  /// Returns whether there will be more proposals.
  bool isRunning() const;
  /// Returns, of the search under way, how many programs were tried and how many there are; 0 of 0 without one.
  std::pair<int, int> progress() const;

  /// Ends the search if the current state is another one. To be called once a frame.
  void follow();
  /// Ends the search with what it found so far; the current state is not searched anew.
  void cancel();
  /// Ends the search, unless it is done: then its proposals are kept.
  void end();
  /// Ends it and forgets all proposals.
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
