@T.prim_func
def main(A: T.Buffer((32, 16), "float16"), B: T.Buffer((16, 16), "float16"), C: T.Buffer((32, 16), "float32")):
    A_shared = T.alloc_buffer((32, 16), "float16", scope="shared")
    A_frag = T.alloc_buffer((32, 16), "float16", scope="wmma.matrix_a")
    B_frag = T.alloc_buffer((16, 16), "float16", scope="wmma.matrix_b")
    C_frag = T.alloc_buffer((32, 16), "float32", scope="wmma.accumulator")
    for warp in T.thread_binding(2, thread="threadIdx.y"):
        for f in range(8):
            for lane in T.thread_binding(32, thread="threadIdx.x"):
                with T.block("copy"):
                    v0 = T.axis.spatial(32, warp * 16 + f * 2 + lane // 16)
                    v1 = T.axis.spatial(16, lane % 16)
                    A_shared[v0, v1] = A[v0, v1]
        with T.block("zero"):
            vw = T.axis.spatial(2, warp)
            T.reads()
            T.writes(C_frag[vw * 16:vw * 16 + 16, 0:16])
            c = T.match_buffer(C_frag[vw * 16:vw * 16 + 16, 0:16], (16, 16), "float32", scope="wmma.accumulator", offset_factor=16)
            T.tvm_fill_fragment(c.data, 16, 16, 16, c.elem_offset // 256, T.float32(0))
        with T.block("load_a"):
            vw = T.axis.spatial(2, warp)
            T.reads(A_shared[vw * 16:vw * 16 + 16, 0:16])
            T.writes(A_frag[vw * 16:vw * 16 + 16, 0:16])
            m = T.match_buffer(A_shared[vw * 16:vw * 16 + 16, 0:16], (16, 16), "float16", scope="shared", offset_factor=16)
            a = T.match_buffer(A_frag[vw * 16:vw * 16 + 16, 0:16], (16, 16), "float16", scope="wmma.matrix_a", offset_factor=16)
            T.tvm_load_matrix_sync(a.data, 16, 16, 16, a.elem_offset // 256, T.tvm_access_ptr(T.type_annotation("float16"), m.data, m.elem_offset, 256, 1), 16, "row_major")
        with T.block("load_b"):
            T.reads(B[0:16, 0:16])
            T.writes(B_frag[0:16, 0:16])
            b = T.match_buffer(B_frag[0:16, 0:16], (16, 16), "float16", scope="wmma.matrix_b", offset_factor=16)
            T.tvm_load_matrix_sync(b.data, 16, 16, 16, b.elem_offset // 256, T.tvm_access_ptr(T.type_annotation("float16"), B.data, 0, 256, 1), 16, "row_major")
        with T.block("multiply"):
            vw = T.axis.spatial(2, warp)
            T.reads(C_frag[vw * 16:vw * 16 + 16, 0:16], A_frag[vw * 16:vw * 16 + 16, 0:16], B_frag[0:16, 0:16])
            T.writes(C_frag[vw * 16:vw * 16 + 16, 0:16])
            a = T.match_buffer(A_frag[vw * 16:vw * 16 + 16, 0:16], (16, 16), "float16", scope="wmma.matrix_a", offset_factor=16)
            b = T.match_buffer(B_frag[0:16, 0:16], (16, 16), "float16", scope="wmma.matrix_b", offset_factor=16)
            c = T.match_buffer(C_frag[vw * 16:vw * 16 + 16, 0:16], (16, 16), "float32", scope="wmma.accumulator", offset_factor=16)
            T.tvm_mma_sync(c.data, c.elem_offset // 256, a.data, a.elem_offset // 256, b.data, b.elem_offset // 256, c.data, c.elem_offset // 256)
        with T.block("store"):
            vw = T.axis.spatial(2, warp)
            T.reads(C_frag[vw * 16:vw * 16 + 16, 0:16])
            T.writes(C[vw * 16:vw * 16 + 16, 0:16])
            c = T.match_buffer(C_frag[vw * 16:vw * 16 + 16, 0:16], (16, 16), "float32", scope="wmma.accumulator", offset_factor=16)
            T.tvm_store_matrix_sync(c.data, 16, 16, 16, c.elem_offset // 256, T.tvm_access_ptr(T.type_annotation("float32"), C.data, vw * 256, 256, 2), 16, "row_major")
