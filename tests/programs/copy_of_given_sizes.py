def make(rows, columns=16, dtype="float16"):
    @T.prim_func
    def copy(A: T.Buffer((rows, columns), dtype), B: T.Buffer((rows, columns), dtype)):
        for i, j in T.grid(rows, columns):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj]
    return copy
sch = tir.Schedule(make(32))
sch.vectorize(sch.get_loops("B")[1])
