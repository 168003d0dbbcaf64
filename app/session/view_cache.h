#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <typeindex>
#include <utility>

namespace loom::session {

/// A cache of the views of one immutable value, a program or a cost model's result for it. A view is what a panel
/// derives from the value: a pure function of it, so that each is made only once and is identified by its type. Copies
/// of a cache share their views. Any thread may call the functions.
class ViewCache {
 public:
  /// Returns the view of type `View`. The first call makes it with `make`, which returns a `View`; later calls don't
  /// use theirs, so all must make the same. A call that comes from another thread meanwhile waits for the first. The
  /// reference is valid as long as the cache or a copy of it lives.
  template <typename View, typename Make>
  const View& get(Make&& make) const {
    Slot& slot = slotOf(typeid(View));
    std::call_once(slot.once, [&] { slot.view = std::make_shared<const View>(std::forward<Make>(make)()); });
    return *static_cast<const View*>(slot.view.get());
  }

 private:
  struct Slot {
    std::once_flag once;
    std::shared_ptr<const void> view;
  };
  struct Slots {
    std::mutex mutex;
    std::map<std::type_index, Slot> byType;
  };
  Slot& slotOf(std::type_index type) const {
    std::lock_guard lock(slots_->mutex);
    return slots_->byType[type];
  }

  std::shared_ptr<Slots> slots_ = std::make_shared<Slots>();
};

}  // namespace loom::session
