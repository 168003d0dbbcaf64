# Adds the dot product of four 8-bit numbers to a 32-bit accumulator: one instruction of a thread, __dp4a.
from tvm.script import tir as T

EXECUTION = "thread"
INTRINSICS = {
    "dp4a_s8s8s32": {"a_type": "int8", "b_type": "int8", "acc": T.int32, "acc_type": "int32"},
    "dp4a_u8s8s32": {"a_type": "uint8", "b_type": "int8", "acc": T.int32, "acc_type": "int32"},
    "dp4a_s8u8s32": {"a_type": "int8", "b_type": "uint8", "acc": T.int32, "acc_type": "int32"},
    "dp4a_u8u8u32": {"a_type": "uint8", "b_type": "uint8", "acc": T.uint32, "acc_type": "uint32"},
}


@T.prim_func
def desc(a: T.handle, b: T.handle, c: T.handle):
    A = T.match_buffer(a, (4,), a_type, scope="shared", align=4, offset_factor=1)
    B = T.match_buffer(b, (4,), b_type, scope="shared", align=4, offset_factor=1)
    C = T.match_buffer(c, (1,), acc_type, scope="local", align=4, offset_factor=1)
    with T.block("root"):
        T.reads(C[0], A[0:4], B[0:4])
        T.writes(C[0])
        for i in range(4):
            with T.block("update"):
                vi = T.axis.reduce(4, i)
                C[0] = C[0] + acc(A[vi]) * acc(B[vi])


@T.prim_func
def impl(a: T.handle, b: T.handle, c: T.handle):
    A = T.match_buffer(a, (4,), a_type, scope="shared", align=4, offset_factor=1)
    B = T.match_buffer(b, (4,), b_type, scope="shared", align=4, offset_factor=1)
    C = T.match_buffer(c, (1,), acc_type, scope="local", align=4, offset_factor=1)
    with T.block("root"):
        T.reads(C[0], A[0:4], B[0:4])
        T.writes(C[0])
        C[0] = C[0] + T.call_pure_extern(acc_type, "__dp4a", A[0:4], B[0:4], T.uint32(0))
