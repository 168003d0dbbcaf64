from tvm.script import tir as T


@T.prim_func
def main(W: T.Buffer((256, 96), "float16"), V: T.Buffer((1, 1, 256), "float16"), Y: T.Buffer((1, 1, 96), "float16")):
    for i0, i1, n, k in T.grid(1, 1, 96, 256):
        with T.block("Y"):
            v_i0, v_i1, v_n, v_k = T.axis.remap("SSSR", [i0, i1, n, k])
            with T.init():
                Y[v_i0, v_i1, v_n] = T.float16(0)
            Y[v_i0, v_i1, v_n] = Y[v_i0, v_i1, v_n] + V[v_i0, v_i1, v_k] * W[v_k, v_n]
