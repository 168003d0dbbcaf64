#include "core/script/intrinsics.h"

#include <unordered_map>

namespace loom::script {
namespace {

using ir::DType;
using Rule = Intrinsic::Rule;

constexpr DType kHandle = DType::Handle(), kVoid = DType::Void(), kInt32 = DType::Int(32), kUInt32 = DType::UInt(32);

constexpr Intrinsic kIntrinsics[] = {
    {"tvm_warp_shuffle", "tvm_warp_shuffle", Rule::Like, {}, 5, 5, 1},
    {"tvm_warp_shuffle_up", "tvm_warp_shuffle_up", Rule::Like, {}, 5, 5, 1},
    {"tvm_warp_shuffle_down", "tvm_warp_shuffle_down", Rule::Like, {}, 5, 5, 1},
    {"tvm_access_ptr", "tvm_access_ptr", Rule::Fixed, kHandle, 5, 5},
    {"tvm_load_matrix_sync", "tvm_load_matrix_sync", Rule::Fixed, kHandle, 8, 8},
    {"tvm_mma_sync", "tvm_mma_sync", Rule::Fixed, kHandle, 8, 8},
    {"tvm_bmma_sync", "tvm_bmma_sync", Rule::Fixed, kHandle, 8, 8},
    {"tvm_fill_fragment", "tvm_fill_fragment", Rule::Fixed, kHandle, 6, 6},
    {"tvm_store_matrix_sync", "tvm_store_matrix_sync", Rule::Fixed, kHandle, 8, 8},
    {"ptx_wgmma_fill", "ptx_wgmma_fill", Rule::Fixed, kHandle, 6, 6},
    {"ptx_wgmma_mma_async", "ptx_wgmma_mma_async", Rule::Fixed, kHandle, 10, 11},
    {"ptx_wgmma_store", "ptx_wgmma_store", Rule::Fixed, kHandle, 7, 7},
    {"tvm_storage_sync", "tvm_storage_sync", Rule::Fixed, kInt32, 1, 3},
    {"tvm_warp_activemask", "tvm_warp_activemask", Rule::Fixed, kUInt32, 0, 0},
    {"tvm_thread_allreduce", "tvm_thread_allreduce", Rule::Fixed, kHandle, 4, -1},
    {"ptx_commit_group", "ptx_commit_group", Rule::Fixed, kVoid, 0, 0},
    {"ptx_wait_group", "ptx_wait_group", Rule::Fixed, kVoid, 1, 1},
    {"ptx_cp_async_barrier", "ptx_cp_async_barrier", Rule::Fixed, kVoid, 1, 1},
    {"ptx_init_barrier_thread_count", "ptx_init_barrier_thread_count", Rule::Fixed, kVoid, 2, 2},
    {"ptx_arrive_barrier", "ptx_arrive_barrier", Rule::Fixed, kVoid, 1, 1},
    {"ptx_arrive_barrier_expect_tx", "ptx_arrive_barrier_expect_tx", Rule::Fixed, kVoid, 2, 2},
    {"ptx_wait_barrier", "ptx_wait_barrier", Rule::Fixed, kVoid, 1, 1},
    {"create_barriers", "create_barriers", Rule::Fixed, kVoid, 1, 1},
    {"address_of", "address_of", Rule::Fixed, kHandle, 1, 1},
    {"tvm_stack_alloca", "tvm_stack_alloca", Rule::Fixed, kHandle, 2, 2},
    {"tvm_stack_make_shape", "tvm_stack_make_shape", Rule::Fixed, kHandle, 0, -1},
    {"tvm_stack_make_array", "tvm_stack_make_array", Rule::Fixed, kHandle, 6, 6},
    {"tvm_tuple", "tvm_tuple", Rule::Fixed, kHandle, 0, -1},
    {"handle_add_byte_offset", "handle_add_byte_offset", Rule::Fixed, kHandle, 2, 2},
    {"tvm_struct_set", "tvm_struct_set", Rule::Fixed, kInt32, 4, 4},
    {"tvm_struct_get", "tvm_struct_get", Rule::Fixed, kInt32, 4, 4},
    {"start_profile_intrinsic", "start_profile_intrinsic", Rule::Fixed, kHandle, 1, 1},
    {"end_profile_intrinsic", "end_profile_intrinsic", Rule::Fixed, kHandle, 1, 1},
    {"dp4a", "dp4a", Rule::Fixed, kInt32, 2, 3},
    {"continue_loop", "continue_loop", Rule::Fixed, kVoid, 0, 0},
    {"break_loop", "break_loop", Rule::Fixed, kVoid, 0, 0},
    {"thread_return", "thread_return", Rule::Fixed, kVoid, 0, 0},
    {"make_filled_simdgroup_matrix", "make_filled_simdgroup_matrix", Rule::Fixed, kHandle, 3, 5},
    {"simdgroup_load", "simdgroup_load", Rule::Fixed, kHandle, 4, 7},
    {"simdgroup_store", "simdgroup_store", Rule::Fixed, kHandle, 4, 7},
    {"simdgroup_multiply_accumulate", "simdgroup_multiply_accumulate", Rule::Fixed, kHandle, 8, 8},
    {"call_packed", "tvm_call_packed", Rule::Fixed, kInt32, 1, -1},
    {"tvm_call_packed", "tvm_call_packed", Rule::Fixed, kInt32, 1, -1},
    {"call_cpacked", "tvm_call_cpacked", Rule::Fixed, kInt32, 1, -1},
    {"call_packed_lowered", "tvm_call_packed_lowered", Rule::Fixed, kInt32, 1, -1},
    {"call_cpacked_lowered", "tvm_call_cpacked_lowered", Rule::Fixed, kInt32, 1, -1},
    {"type_annotation", "type_annotation", Rule::Forward, {}, 0, 0},
    {"call_extern", "call_extern", Rule::Forward, {}, 1, -1},
    {"call_pure_extern", "call_pure_extern", Rule::Forward, {}, 1, -1},
    {"call_llvm_intrin", "call_llvm_intrin", Rule::Forward, {}, 1, -1},
    {"call_llvm_pure_intrin", "call_llvm_pure_intrin", Rule::Forward, {}, 1, -1},
    {"call_intrin", "call_intrin", Rule::Forward, {}, 0, -1},
    {"ptx_mma", "ptx_mma", Rule::Forward, {}, 13, 14},
    {"ptx_mma_sp", "ptx_mma_sp", Rule::Forward, {}, 16, 16},
    {"ptx_ldmatrix", "ptx_ldmatrix", Rule::Forward, {}, 7, 7},
    {"ptx_cp_async", "ptx_cp_async", Rule::Forward, {}, 5, 6},
    {"ptx_cp_async_bulk", "ptx_cp_async_bulk", Rule::Forward, {}, 6, 6},
    {"mma_store", "mma_store", Rule::Forward, {}, 6, 6},
    {"mma_fill", "mma_fill", Rule::Forward, {}, 3, 3},
    {"vectorlow", "vectorlow", Rule::Forward, {}, 1, 1},
    {"vectorhigh", "vectorhigh", Rule::Forward, {}, 1, 1},
    {"vectorcombine", "vectorcombine", Rule::Forward, {}, 2, 2},
    {"get_active_lane_mask", "get_active_lane_mask", Rule::Forward, {}, 2, 2},
};

}  // namespace

const Intrinsic* findIntrinsic(std::string_view name) {
  static const auto* const kByName = [] {
    auto* map = new std::unordered_map<std::string_view, const Intrinsic*>;
    for (const auto& i : kIntrinsics) map->emplace(i.name, &i);
    return map;
  }();
  auto it = kByName->find(name);
  return it == kByName->end() ? nullptr : it->second;
}

}  // namespace loom::script
