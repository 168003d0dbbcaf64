from tvm.script import tir as T


@T.prim_func
def main(C: T.Buffer((64, 64), "float32"), D: T.Buffer((16, 16), "float32")):
    sum = T.alloc_buffer((64, 64), "float32", scope="local.wgmma")
    tile = T.alloc_buffer((16, 16), "float32", scope="wmma.accumulator")
    for b in T.thread_binding(1, thread="blockIdx.x"):
        with T.block("zero_sum"):
            T.reads()
            T.writes(sum[0:64, 0:64])
            T.ptx_wgmma_fill(sum.data, 64, 64, 16, 0, T.float32(0))
        with T.block("store_sum"):
            T.reads(sum[0:64, 0:64])
            T.writes(C[0:64, 0:64])
            T.ptx_wgmma_store(sum.data, 64, 64, 16, 0, T.tvm_access_ptr(T.type_annotation("float32"), C.data, 0, 4096, 2), 64)
        with T.block("zero_tile"):
            T.reads()
            T.writes(tile[0:16, 0:16])
            T.tvm_fill_fragment(tile.data, 16, 16, 16, 0, T.float32(0))
        with T.block("store_tile"):
            T.reads(tile[0:16, 0:16])
            T.writes(D[0:16, 0:16])
            T.tvm_store_matrix_sync(tile.data, 16, 16, 16, 0, T.tvm_access_ptr(T.type_annotation("float32"), D.data, 0, 256, 2), 16, "row_major")
