// Memory for nodes of expressions and of device statements. Lowering makes tens of thousands of a few sizes and forgets most of them at once:
// each thread keeps what it has given back, and takes it again.
#pragma once
#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace loom::ir {

#if defined(TILELOOM_KEEPS_NODES)  // as the rest of the program does, which isn't sanitized
constexpr bool kKeepsNodes = true;
#elif defined(__SANITIZE_ADDRESS__)
constexpr bool kKeepsNodes = false;  // memory that was given back is watched
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
constexpr bool kKeepsNodes = false;
#else
constexpr bool kKeepsNodes = true;
#endif
#else
constexpr bool kKeepsNodes = true;
#endif

// Pieces of memory of `kBytes` that the current thread has given back, at most some thousand. Each piece comes from the
// heap by itself, so that a thread may give back what another has taken: it is then its own. What a thread has kept
// goes back to the heap when it ends.
template <std::size_t kBytes>
class KeptMemory {
 public:
  static void* take() {
    if (void* piece = kept_.first) {
      kept_.first = *static_cast<void**>(piece);
      --kept_.count;
      return piece;
    }
    return ::operator new(kBytes);
  }
  static void give(void* piece) noexcept {
    if (kept_.count == 0) watchEnd();
    if (kept_.ended || kept_.count == kMost) return ::operator delete(piece);
    *static_cast<void**>(piece) = kept_.first;
    kept_.first = piece;
    ++kept_.count;
  }

 private:
  static_assert(kBytes >= sizeof(void*));
  static constexpr int kMost = 4096;
  // Without a destructor, so that it can be asked until the thread is gone.
  struct Kept {
    void* first = nullptr;  // each piece begins with the pointer to the next
    int count = 0;
    bool ended = false;  // whether the thread has begun to end, and keeps nothing more
  };
  struct AtEnd {
    ~AtEnd() {
      kept_.ended = true;
      kept_.count = 0;
      for (void* piece = std::exchange(kept_.first, nullptr); piece;)
        ::operator delete(std::exchange(piece, *static_cast<void**>(piece)));
    }
  };
  // Has the destructor of `AtEnd` run when the thread ends.
  static void watchEnd() {
    thread_local AtEnd atEnd;
    static_cast<void>(atEnd);
  }

  static inline constinit thread_local Kept kept_{};
};

// The allocator that newNode uses.
template <class T>
struct NodeAllocator {
  using value_type = T;
  NodeAllocator() = default;
  template <class U>
  NodeAllocator(const NodeAllocator<U>&) {}
  T* allocate(std::size_t) { return static_cast<T*>(KeptMemory<sizeof(T)>::take()); }
  void deallocate(T* piece, std::size_t) noexcept { KeptMemory<sizeof(T)>::give(piece); }
  friend bool operator==(const NodeAllocator&, const NodeAllocator&) { return true; }
};

// Makes a node, as std::make_shared does. With sanitizers it does nothing else.
template <class Node, class... Args>
std::shared_ptr<Node> newNode(Args&&... args) {
  if constexpr (kKeepsNodes) return std::allocate_shared<Node>(NodeAllocator<Node>(), std::forward<Args>(args)...);
  return std::make_shared<Node>(std::forward<Args>(args)...);
}

}  // namespace loom::ir
