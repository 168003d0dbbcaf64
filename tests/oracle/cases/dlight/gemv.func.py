from tvm.script import tir as T


@T.prim_func
def main(W: T.Buffer((128, 512), "float32"), V: T.Buffer((1, 1, 512), "float32"), Y: T.Buffer((1, 1, 128), "float32")):
    for i0, i1, n, k in T.grid(1, 1, 128, 512):
        with T.block("Y"):
            v_i0, v_i1, v_n, v_k = T.axis.remap("SSSR", [i0, i1, n, k])
            with T.init():
                Y[v_i0, v_i1, v_n] = T.float32(0)
            Y[v_i0, v_i1, v_n] = Y[v_i0, v_i1, v_n] + V[v_i0, v_i1, v_k] * W[v_n, v_k]
