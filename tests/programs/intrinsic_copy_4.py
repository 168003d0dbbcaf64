from tvm.script import tir as T

EXECUTION = "thread"
INTRINSICS = {"copy_4": {"N": 4}}


@T.prim_func
def desc(a: T.handle, c: T.handle):
    A = T.match_buffer(a, (N,), "float32", offset_factor=1)
    C = T.match_buffer(c, (N,), "float32", offset_factor=1)
    with T.block("root"):
        T.reads(A[0:N])
        T.writes(C[0:N])
        for i in range(N):
            with T.block("copy"):
                vi = T.axis.spatial(N, i)
                C[vi] = A[vi]


@T.prim_func
def impl(a: T.handle, c: T.handle):
    A = T.match_buffer(a, (N,), "float32", offset_factor=1)
    C = T.match_buffer(c, (N,), "float32", offset_factor=1)
    with T.block("root"):
        T.reads(A[0:N])
        T.writes(C[0:N])
        for i in T.vectorized(N):
            C[i] = A[i]
