a_i, a_j = sch.get_loops(a_fragment)[-2:]
a_i0, a_i1 = sch.split(a_i, [None, 16])
a_j0, a_j1 = sch.split(a_j, [None, 16])
sch.reorder(a_i0, a_j0, a_i1, a_j1)
sch.tensorize(a_i1, "wmma_load_16x16x16_f16_a_shared")
b_i, b_j = sch.get_loops(b_fragment)[-2:]
b_i0, b_i1 = sch.split(b_i, [None, 16])
b_j0, b_j1 = sch.split(b_j, [None, 16])
sch.reorder(b_i0, b_j0, b_i1, b_j1)
sch.tensorize(b_i1, "wmma_load_16x16x16_f16_b_shared")
c_i, c_j = sch.get_loops(c_fragment)[-2:]
c_i0, c_i1 = sch.split(c_i, [None, 16])
c_j0, c_j1 = sch.split(c_j, [None, 16])
sch.reorder(c_i0, c_j0, c_i1, c_j1)
sch.tensorize(c_i1, "wmma_store_16x16x16_f32_global")
init = sch.decompose_reduction(b, k_step)
sch.tensorize(sch.get_loops(init)[-2], "wmma_fill_16x16x16_f32")
sch.tensorize(m_in, "wmma_sync_16x16x16_f16f16f32")
