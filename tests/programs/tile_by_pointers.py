@T.prim_func
def main(C: T.Buffer((16, 16), "float32")):
    kept = T.alloc_buffer((16, 16), "float32")
    tile = T.alloc_buffer((16, 16), "float32", scope="wmma.accumulator")
    for warp in T.thread_binding(1, thread="threadIdx.y"):
        with T.block("zero"):
            T.reads()
            T.writes(tile[0:16, 0:16])
            T.tvm_fill_fragment(tile.data, 16, 16, 16, 0, T.float32(3))
        with T.block("store"):
            T.reads(tile[0:16, 0:16])
            T.writes(kept[0:16, 0:16])
            T.tvm_store_matrix_sync(tile.data, 16, 16, 16, 0, T.tvm_access_ptr(T.type_annotation("float32"), kept.data, 0, 256, 2), 16, "row_major")
        for f in range(8):
            for lane in T.thread_binding(32, thread="threadIdx.x"):
                with T.block("out"):
                    v0 = T.axis.spatial(16, f * 2 + lane // 16)
                    v1 = T.axis.spatial(16, lane % 16)
                    C[v0, v1] = kept[v0, v1]
