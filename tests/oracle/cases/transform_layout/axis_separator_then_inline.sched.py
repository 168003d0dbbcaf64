sch.transform_layout("B", ("write", 0), lambda i, j: [i // 2, j, tvm.tir.IndexMap.AXIS_SEPARATOR, i % 2])
sch.compute_inline("B")
