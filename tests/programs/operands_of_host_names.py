@T.prim_func
def main(NULL: T.Buffer((37, 13), "float32"), stream: T.Buffer((13, 29), "float32"), cudaMalloc: T.Buffer((37, 29), "float32")):
    for i, j, k in T.grid(37, 29, 13):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                cudaMalloc[vi, vj] = T.float32(0)
            cudaMalloc[vi, vj] = cudaMalloc[vi, vj] + NULL[vi, vk] * stream[vk, vj]
