@T.prim_func
def main(A: T.Buffer((16, 32), "float16"), B: T.Buffer((16, 8), "float16"), C: T.Buffer((32, 8), "float32")):
    A_shared = T.alloc_buffer((16, 32), "float16", scope="shared")
    A_frag = T.alloc_buffer((16, 32), "float16", scope="wmma.matrix_a")
    B_frag = T.alloc_buffer((16, 8), "float16", scope="wmma.matrix_b")
    C_frag = T.alloc_buffer((32, 8), "float32", scope="wmma.accumulator")
    for warp in T.thread_binding(1, thread="threadIdx.y"):
        for k in range(16):
            for lane in T.thread_binding(32, thread="threadIdx.x"):
                with T.block("copy"):
                    v0, v1 = T.axis.remap("SS", [k, lane])
                    A_shared[v0, v1] = A[v0, v1]
        with T.block("zero"):
            T.reads()
            T.writes(C_frag[0:32, 0:8])
            c = T.match_buffer(C_frag[0:32, 0:8], (32, 8), "float32", scope="wmma.accumulator", offset_factor=8)
            T.tvm_fill_fragment(c.data, 32, 8, 16, 0, T.float32(0))
        with T.block("load_a"):
            T.reads(A_shared[0:16, 0:32])
            T.writes(A_frag[0:16, 0:32])
            m = T.match_buffer(A_shared[0:16, 0:32], (16, 32), "float16", scope="shared", offset_factor=8)
            a = T.match_buffer(A_frag[0:16, 0:32], (16, 32), "float16", scope="wmma.matrix_a", offset_factor=8)
            T.tvm_load_matrix_sync(a.data, 32, 8, 16, 0, T.tvm_access_ptr(T.type_annotation("float16"), m.data, m.elem_offset, 512, 1), 32, "col_major")
        with T.block("load_b"):
            T.reads(B[0:16, 0:8])
            T.writes(B_frag[0:16, 0:8])
            b = T.match_buffer(B_frag[0:16, 0:8], (16, 8), "float16", scope="wmma.matrix_b", offset_factor=8)
            T.tvm_load_matrix_sync(b.data, 32, 8, 16, 0, T.tvm_access_ptr(T.type_annotation("float16"), B.data, 0, 128, 1), 8, "row_major")
        with T.block("multiply"):
            T.reads(C_frag[0:32, 0:8], A_frag[0:16, 0:32], B_frag[0:16, 0:8])
            T.writes(C_frag[0:32, 0:8])
            a = T.match_buffer(A_frag[0:16, 0:32], (16, 32), "float16", scope="wmma.matrix_a", offset_factor=8)
            b = T.match_buffer(B_frag[0:16, 0:8], (16, 8), "float16", scope="wmma.matrix_b", offset_factor=8)
            c = T.match_buffer(C_frag[0:32, 0:8], (32, 8), "float32", scope="wmma.accumulator", offset_factor=8)
            T.tvm_mma_sync(c.data, 0, a.data, 0, b.data, 0, c.data, 0)
        with T.block("store"):
            T.reads(C_frag[0:32, 0:8])
            T.writes(C[0:32, 0:8])
            c = T.match_buffer(C_frag[0:32, 0:8], (32, 8), "float32", scope="wmma.accumulator", offset_factor=8)
            T.tvm_store_matrix_sync(c.data, 32, 8, 16, 0, T.tvm_access_ptr(T.type_annotation("float32"), C.data, 0, 256, 2), 8, "row_major")
