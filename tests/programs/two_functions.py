@I.ir_module
class M:
    @T.prim_func
    def f():
        T.evaluate(1)
    @T.prim_func
    def g():
        T.evaluate(1)
