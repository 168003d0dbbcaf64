@T.prim_func
def main(idx: T.Buffer((12, 128), "int32"), val: T.Buffer((12, 128), "float32"), best_v0: T.Buffer((12,), "int32"), best_v1: T.Buffer((12,), "float32")):
    for i, k in T.grid(12, 128):
        with T.block("best"):
            vi, vk = T.axis.remap("SR", [i, k])
            T.reads(idx[vi, vk], val[vi, vk])
            T.writes(best_v0[vi], best_v1[vi])
            with T.init():
                best_v0[vi] = -1
                best_v1[vi] = T.$WORST("float32")
            v0: T.int32 = T.Select(best_v1[vi] $BETTER val[vi, vk] or (best_v1[vi] == val[vi, vk] and best_v0[vi] < idx[vi, vk]), best_v0[vi], idx[vi, vk])
            v1: T.float32 = T.Select(best_v1[vi] $BETTER val[vi, vk], best_v1[vi], val[vi, vk])
            best_v0[vi] = v0
            best_v1[vi] = v1
