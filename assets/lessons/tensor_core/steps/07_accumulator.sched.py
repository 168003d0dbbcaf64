b46 = sch.cache_write(block=b10, write_buffer_index=0, storage_scope="wmma.accumulator")
sch.reverse_compute_at(block=b46, loop=l21, preserve_unit_loops=True, index=-1)
