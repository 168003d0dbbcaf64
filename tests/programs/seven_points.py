@T.prim_func
def main(X: T.Buffer(($I + 2, $J + 2, $K + 2), "float32"), Y: T.Buffer(($I, $J, $K), "float32")):
    for i, j, k in T.grid($I, $J, $K):
        with T.block("Y"):
            vi, vj, vk = T.axis.remap("SSS", [i, j, k])
            Y[vi, vj, vk] = X[vi + 1, vj + 1, vk + 1] + X[vi, vj + 1, vk + 1] + X[vi + 2, vj + 1, vk + 1] + X[vi + 1, vj, vk + 1] + X[vi + 1, vj + 2, vk + 1] + X[vi + 1, vj + 1, vk] + X[vi + 1, vj + 1, vk + 2]
