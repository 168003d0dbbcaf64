def bind(block, axes):
    for loop, axis in zip(sch.get_loops(block), axes):
        sch.bind(loop, axis)

kept = sch.cache_write(tile, 0, storage_scope="wmma.accumulator")
bind(tile, ["blockIdx.y", "blockIdx.x"])
sch.reverse_compute_at(kept, sch.get_loops(tile)[1])
first = sch.decompose_reduction(tile, sch.get_loops(tile)[2])
sch.tensorize(first, "zero_tile")
