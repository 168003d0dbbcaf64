@T.prim_func
def main(A: T.Buffer((4, 8), "float32"), C: T.Buffer((4, 8), "float32")):
    bx = T.env_thread("blockIdx.x")
    T.launch_thread(bx, 4)
    S = T.allocate([8], "float32", "shared")
    C_1 = T.Buffer((32,), data=C.data)
    with T.launch_thread("threadIdx.x", 8) as tx:
        S_1 = T.Buffer((8,), data=S, scope="shared")
        S_1[tx] = A[bx, tx]
        C_1[bx * 8 + tx] = S_1[7 - tx]
