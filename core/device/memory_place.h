// The kinds of memory that a kernel's buffers lie in: one definition for lowering, code generation, executor and
// models.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace loom::device {

// The memory of a buffer. Global memory belongs to the whole grid. Shared and SharedDynamic belong to a block: the size
// of Shared is fixed when the kernel is compiled, that of SharedDynamic when it is launched. Local belongs to a thread
// and lies in its registers where the compiler can keep it there. A Fragment is spread over the registers of a warp or
// a warpgroup, as operands of tensor cores are.
enum class Memory : std::uint8_t { Global, Shared, SharedDynamic, Local, Fragment };

// Returns the memory that a buffer of a TensorIR scope lies in: Global for "global", Shared for "shared", SharedDynamic
// for "shared.dyn" and kSharedCluster, Local for "local", Fragment for "warp" and the scopes of tensor cores
// ("wmma.matrix_a", "local.wgmma", …). Returns nothing for any other text, the empty one included.
std::optional<Memory> memoryOf(std::string_view scope);

// The scope of buffers of which each block of a cluster has a slice in its shared memory: the first index says of which
// block. A block writes its own slice, and loads from all. The scope is Tileloom's own and unknown to TVM.
inline constexpr std::string_view kSharedCluster = "shared.cluster";

// Returns the name of a memory: "global", "shared", "shared.dyn", "local" or "fragment".
const char* nameOf(Memory memory);

// Returns whether the memory is the shared memory of a block, of either kind.
constexpr bool isShared(Memory m) { return m == Memory::Shared || m == Memory::SharedDynamic; }
// Returns whether other threads of the block can access the memory by themselves.
constexpr bool isVisible(Memory m) { return m == Memory::Global || isShared(m); }

}  // namespace loom::device
