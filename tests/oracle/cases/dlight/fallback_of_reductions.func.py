from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((30, 200), "float32"), Y: T.Buffer((30, 200), "float32")):
    mx = T.alloc_buffer((30,), "float32")
    s = T.alloc_buffer((30,), "float32")
    for i, k in T.grid(30, 200):
        with T.block("mx"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                mx[vi] = T.min_value("float32")
            mx[vi] = T.max(mx[vi], A[vi, vk])
    for i, k in T.grid(30, 200):
        with T.block("s"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                s[vi] = T.float32(0)
            s[vi] = s[vi] + (A[vi, vk] - mx[vi])
    for i, k in T.grid(30, 200):
        with T.block("Y"):
            vi, vk = T.axis.remap("SS", [i, k])
            Y[vi, vk] = A[vi, vk] - s[vi]
