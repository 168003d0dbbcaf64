// Other tests run beside these, which wait for jobs: the jobs are not to wait for the other tests.
#include "app/session/job_queue.h"

namespace loom::session {
namespace {

[[maybe_unused]] const bool kJobsDoNotStandBack = [] {
  JobQueue::setNiceness(0);
  return true;
}();

}  // namespace
}  // namespace loom::session
