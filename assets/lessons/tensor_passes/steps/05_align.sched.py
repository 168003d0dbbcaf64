sch.storage_align(a_shared, 0, -2, 16, 8)
sch.storage_align(b_shared, 0, -2, 16, 8)
