// Memory for nodes of expressions and of device statements. Lowering makes tens of thousands of nodes of a few sizes
// and frees most of them soon after, so each thread keeps freed memory and uses it again.
#pragma once
#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace loom::ir {

// Whether freed memory is kept. Under the address or memory sanitizer it isn't, so that uses of freed memory are found.
// All files of a program must agree: for one that is compiled with a sanitizer and linked to others that aren't, the
// build defines TILELOOM_KEEPS_NODES.
#if defined(TILELOOM_KEEPS_NODES)
constexpr bool kKeepsNodes = true;
#elif defined(__SANITIZE_ADDRESS__)
constexpr bool kKeepsNodes = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
constexpr bool kKeepsNodes = false;
#else
constexpr bool kKeepsNodes = true;
#endif
#else
constexpr bool kKeepsNodes = true;
#endif

// The freed pieces of memory of `kBytes` bytes that the current thread keeps, at most 4096. Each piece is an allocation
// of its own, so a thread may free a piece that another has allocated, and then keeps it itself. When a thread ends,
// its pieces go back to the heap.
template <std::size_t kBytes>
class KeptMemory {
 public:
  // Returns a kept piece, or a new one from the heap.
  static void* take() {
    if (void* piece = kept_.first) {
      kept_.first = *static_cast<void**>(piece);
      --kept_.count;
      return piece;
    }
    return ::operator new(kBytes);
  }
  // Frees a piece that `take` of the same size returned, in any thread: keeps it, or returns it to the heap if enough
  // are kept or the thread is ending.
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
  // Has no destructor, so that it stays usable until the thread is gone.
  struct Kept {
    void* first = nullptr;  // each piece begins with the pointer to the next
    int count = 0;
    bool ended = false;  // whether the thread has begun to end, so that it keeps nothing more
  };
  struct AtEnd {
    ~AtEnd() {
      kept_.ended = true;
      kept_.count = 0;
      for (void* piece = std::exchange(kept_.first, nullptr); piece;)
        ::operator delete(std::exchange(piece, *static_cast<void**>(piece)));
    }
  };
  // Makes the destructor of `AtEnd` run when the thread ends.
  static void watchEnd() {
    thread_local AtEnd atEnd;
    static_cast<void>(atEnd);
  }

  static inline constinit thread_local Kept kept_{};
};

// The allocator that newNode uses, for types of the default alignment. It allocates memory for one T at a time,
// whatever number it is asked for.
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

// Makes a node, as std::make_shared does, but in kept memory; if kKeepsNodes is false, it is std::make_shared.
template <class Node, class... Args>
std::shared_ptr<Node> newNode(Args&&... args) {
  if constexpr (kKeepsNodes) return std::allocate_shared<Node>(NodeAllocator<Node>(), std::forward<Args>(args)...);
  return std::make_shared<Node>(std::forward<Args>(args)...);
}

}  // namespace loom::ir
