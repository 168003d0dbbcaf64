@tvm.script.ir_module
class Square:
    @T.prim_func
    def main(P: T.Buffer[(64, 64), "float16"], Q: T.Buffer[(64, 64), "float16"], R: T.Buffer[(64, 64), "float32"]) -> None:
        T.func_attr({"global_symbol": "main", "tir.noalias": True})
        for i, j, k in T.grid(64, 64, 64):
            with T.block("dot"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    R[vi, vj] = T.float32(0)
                R[vi, vj] += T.cast(P[vi, vk], "float32") * T.cast(Q[vj, vk], "float32")
