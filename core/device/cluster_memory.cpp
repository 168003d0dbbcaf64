#include "core/device/cluster_memory.h"

#include "core/ir/build.h"

namespace loom::device {

Expr inBlock(const Expr& load, const Expr& block) {
  return ir::call(load->dtype, std::string(kInBlock), {load, block});
}

std::optional<LoadInBlock> loadInBlock(const Expr& e) {
  const auto* call = ir::asCall(e);
  return call ? loadInBlock(*call) : std::nullopt;
}

std::optional<LoadInBlock> loadInBlock(const ir::CallNode& call) {
  if (call.op != kInBlock) return std::nullopt;
  return LoadInBlock{ir::asLoad(call.args.at(0)), call.args.at(1)};
}

Expr sliceOf(const Buffer& buffer, const std::vector<Expr>& at) {
  // Indices of versions come first.
  return buffer->scope == kSharedCluster && buffer->shape.size() > 1 && at.size() >= buffer->shape.size()
             ? at[at.size() - buffer->shape.size()]
             : Expr();
}

// PTX ISA, mapa and ld.shared::cluster.
constexpr std::string_view kClusterLoadPreamble =
    "// What another block of the cluster has in its shared memory, at the place that `shared` is of in the own one.\n"
    "template <typename T>\n"
    "__device__ __forceinline__ T cluster_load(const void* shared, int block) {\n"
    "  static_assert(sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16);\n"
    "  unsigned at;\n"
    "  asm(\"mapa.shared::cluster.u32 %0, %1, %2;\" : \"=r\"(at) : \"r\"(unsigned(__cvta_generic_to_shared(shared))), "
    "\"r\"(block));\n"
    "  if constexpr (sizeof(T) == 2) {\n"
    "    unsigned short v;\n"
    "    asm volatile(\"ld.shared::cluster.u16 %0, [%1];\" : \"=h\"(v) : \"r\"(at) : \"memory\");\n"
    "    return reinterpret_cast<const T&>(v);\n"
    "  } else if constexpr (sizeof(T) == 4) {\n"
    "    unsigned v;\n"
    "    asm volatile(\"ld.shared::cluster.u32 %0, [%1];\" : \"=r\"(v) : \"r\"(at) : \"memory\");\n"
    "    return reinterpret_cast<const T&>(v);\n"
    "  } else if constexpr (sizeof(T) == 8) {\n"
    "    uint2 v;\n"
    "    asm volatile(\"ld.shared::cluster.v2.u32 {%0, %1}, [%2];\" : \"=r\"(v.x), \"=r\"(v.y) : \"r\"(at) : "
    "\"memory\");\n"
    "    return reinterpret_cast<const T&>(v);\n"
    "  } else {\n"
    "    uint4 v;\n"
    "    asm volatile(\"ld.shared::cluster.v4.u32 {%0, %1, %2, %3}, [%4];\" : \"=r\"(v.x), \"=r\"(v.y), \"=r\"(v.z), "
    "\"=r\"(v.w) : \"r\"(at) : \"memory\");\n"
    "    return reinterpret_cast<const T&>(v);\n"
    "  }\n"
    "}\n";

constexpr std::string_view kClusterLoadBytePreamble =
    "// The same of a single byte.\n"
    "template <typename T>\n"
    "__device__ __forceinline__ T cluster_load_byte(const void* shared, int block) {\n"
    "  static_assert(sizeof(T) == 1);\n"
    "  unsigned at;\n"
    "  asm(\"mapa.shared::cluster.u32 %0, %1, %2;\" : \"=r\"(at) : \"r\"(unsigned(__cvta_generic_to_shared(shared))), "
    "\"r\"(block));\n"
    "  unsigned short v;\n"
    "  asm volatile(\"ld.shared::cluster.u8 %0, [%1];\" : \"=h\"(v) : \"r\"(at) : \"memory\");\n"
    "  const unsigned char byte = v;\n"
    "  return reinterpret_cast<const T&>(byte);\n"
    "}\n";

}  // namespace loom::device
