        with T.block("again"):
            T.reads(B[0:16, 0:16])
            T.writes(B_frag[0:16, 0:16])
            b = T.match_buffer(B_frag[0:16, 0:16], (16, 16), "float16", scope="wmma.matrix_b", offset_factor=16)
            T.tvm_load_matrix_sync(b.data, 16, 16, 16, b.elem_offset // 256, T.tvm_access_ptr(T.type_annotation("float16"), B.data, 0, 256, 1), 16, "col_major")
