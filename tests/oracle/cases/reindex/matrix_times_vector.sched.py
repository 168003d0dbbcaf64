sch.reindex("y", "A")
sch.reindex("y", "x")
sch.reindex("y", "y")
sch.transform_block_layout("y", lambda i, k: (i, k // 10, k % 10))
