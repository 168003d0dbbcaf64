@T.prim_func
def main(idx: T.Buffer((128, 128), "int32"), val: T.Buffer((128, 128), "float32"), argmax_v0: T.Buffer((128,), "int32"), argmax_v1: T.Buffer((128,), "float32")):
    for i, k in T.grid(128, 128):
        with T.block("argmax"):
            vi, vk = T.axis.remap("SR", [i, k])
            T.reads(idx[vi, vk], val[vi, vk])
            T.writes(argmax_v0[vi], argmax_v1[vi])
            with T.init():
                argmax_v0[vi] = -1
                argmax_v1[vi] = T.$WORST("float32")
            v0: T.int32 = T.Select(argmax_v1[vi] $BETTER val[vi, vk], argmax_v0[vi], idx[vi, vk])
            v1: T.float32 = T.Select(argmax_v1[vi] $BETTER val[vi, vk], argmax_v1[vi], val[vi, vk])
            argmax_v0[vi] = v0
            argmax_v1[vi] = v1
