// Copies from global to shared memory past registers, which a thread starts and waits for later. PTX ISA, cp.async: 4,
// 8 or 16 bytes, both ends at multiples of them; those of 16 may pass L1 by (lower/async_copies.cpp chooses).
#include <array>

#include "core/device/operations/spans.h"

namespace loom::device {
namespace {

template <int kBytes>
constexpr OperationRow copying(std::string_view name, std::string_view text, std::string_view preamble) {
  OperationRow r;
  r.name = name;
  r.group = Group::Thread;
  r.agent = Agent::AsyncCopy;
  r.operands = kCopied<kBytes>;
  r.completes = Token::AsyncCopies;
  r.text = text;
  r.print = "cp.async {to} = {from}";
  r.preamble = preamble;
  r.since = 80;
  r.run = copy;
  r.nanoseconds = 2500;
  return r;
}

#define LOOM_CP_ASYNC(bytes, cache, way, function)                                                      \
  copying<bytes>("cp.async." way #bytes, function "({to, element}, {+from});",                          \
                 "template <typename T>\n"                                                              \
                 "__device__ __forceinline__ void " function                                            \
                 "(T* shared, int element, const void* global) {\n"                                     \
                 "  asm volatile(\"cp.async." cache ".shared.global.L2::128B [%0], [%1], " #bytes       \
                 ";\" ::\"r\"(unsigned("                                                                \
                 "__cvta_generic_to_shared(shared)) + element * unsigned(sizeof(T))), \"l\"(global) : " \
                 "\"memory\");\n"                                                                       \
                 "}\n")

// With a source of 0 bytes nothing is read, wherever it points, and zeros are written: padding.
constexpr OperationRow filling(OperationRow r) {
  r.values = kInside;
  r.readsIf = 0;
  r.print = "cp.async {to} = {from} if {inside} else zeros";
  r.run = copyOrZeros;
  return r;
}
#define LOOM_CP_ASYNC_OR_ZEROS(bytes, cache, way, function)                                                       \
  filling(copying<bytes>(                                                                                         \
      "cp.async.zeros." way #bytes, function "_or_zeros({to, element}, {+from}, {inside});",                      \
      "template <typename T>\n"                                                                                   \
      "__device__ __forceinline__ void " function                                                                 \
      "_or_zeros(T* shared, int element, const void* global, bool inside) {\n"                                    \
      "  asm volatile(\"cp.async." cache ".shared.global.L2::128B [%0], [%1], " #bytes                            \
      ", %2;\" ::\"r\"(unsigned("                                                                                 \
      "__cvta_generic_to_shared(shared)) + element * unsigned(sizeof(T))), \"l\"(global), \"r\"(inside ? " #bytes \
      " : 0) : \"memory\");\n"                                                                                    \
      "}\n"))
constexpr std::array<OperationRow, 8> kRows{LOOM_CP_ASYNC(4, "ca", "", "cp_async_4"),
                                            LOOM_CP_ASYNC(8, "ca", "", "cp_async_8"),
                                            LOOM_CP_ASYNC(16, "cg", "", "cp_async_16"),
                                            LOOM_CP_ASYNC(16, "ca", "through_l1.", "cp_async_16_through_l1"),
                                            LOOM_CP_ASYNC_OR_ZEROS(4, "ca", "", "cp_async_4"),
                                            LOOM_CP_ASYNC_OR_ZEROS(8, "ca", "", "cp_async_8"),
                                            LOOM_CP_ASYNC_OR_ZEROS(16, "cg", "", "cp_async_16"),
                                            LOOM_CP_ASYNC_OR_ZEROS(16, "ca", "through_l1.", "cp_async_16_through_l1")};
#undef LOOM_CP_ASYNC
#undef LOOM_CP_ASYNC_OR_ZEROS

}  // namespace

extern const OperationFamily kAsyncCopy;
const OperationFamily kAsyncCopy{.rows = kRows};

}  // namespace loom::device
