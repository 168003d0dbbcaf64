from tvm.script import tir as T


@T.prim_func
def main(idx: T.Buffer((128, 100), "int32"), val: T.Buffer((128, 100), "float16"), v0: T.Buffer((128,), "int32"), v1: T.Buffer((128,), "float16")):
    for i, k in T.grid(128, 100):
        with T.block("argmin"):
            vi, vk = T.axis.remap("SR", [i, k])
            T.reads(idx[vi, vk], val[vi, vk])
            T.writes(v1[vi], v0[vi])
            with T.init():
                v0[vi] = -1
                v1[vi] = T.max_value("float16")
            a: T.int32 = T.Select(v1[vi] < val[vi, vk] or (v1[vi] == val[vi, vk] and v0[vi] < idx[vi, vk]), v0[vi], idx[vi, vk])
            b: T.float16 = T.Select(v1[vi] < val[vi, vk], v1[vi], val[vi, vk])
            v1[vi] = b
            v0[vi] = a
