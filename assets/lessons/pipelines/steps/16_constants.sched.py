sch.annotate(block_or_loop=k_step, ann_key="tileloom.unroll_stages", ann_val=4)
