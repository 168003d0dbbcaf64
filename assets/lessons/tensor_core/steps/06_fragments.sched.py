b44 = sch.cache_read(block=b10, read_buffer_index=0, storage_scope="wmma.matrix_a")
sch.compute_at(block=b44, loop=l18, preserve_unit_loops=True, index=-1)
b45 = sch.cache_read(block=b10, read_buffer_index=1, storage_scope="wmma.matrix_b")
sch.compute_at(block=b45, loop=l18, preserve_unit_loops=True, index=-1)
