sch.transform_layout("B", "A", lambda i, j: (i // 16, j, i % 16), pad_value=0.0)
sch.bind(sch.get_loops("B")[0], "threadIdx.x")
sch.bind(sch.get_loops("C")[0], "threadIdx.x")
