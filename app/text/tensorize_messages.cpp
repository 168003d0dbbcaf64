#include "app/text/messages.h"

namespace loom::text {
namespace {

constexpr MessageWords kMessages[] = {
    // The four passes and their questions.
    {"Pattern", "模式"},
    {"Operands", "操作数"},
    {"Warps", "线程束"},
    {"Loops", "循环"},
    {"Does the block compute what a tensor operation computes?", "该计算块所做的，是否正是张量运算所做的？"},
    {"Which operand is a, which b, which c, and how do they lie?",
     "哪个操作数是 a，哪个是 b，哪个是 c，各自如何存放？"},
    {"Which tile do the 32 threads of a warp compute together?", "一个线程束的 32 个线程共同计算哪个分块？"},
    {"Which loops lose iterations, now that a tile is one operation?",
     "一个分块成为一次运算后，哪些循环的迭代次数减少？"},
    // Outcomes.
    {"Matches", "匹配"},
    {"Operands identified", "操作数已确定"},
    {"A tile for each warp", "每个线程束一个分块"},
    {"Loops scaled", "循环已缩短"},
    {"Not a reduction", "不是归约"},
    {"No reduce axis", "没有归约轴"},
    {"Several reduce axes", "有多个归约轴"},
    {"The combiner is no sum", "组合结果的运算不是求和"},
    {"What is added is no product", "累加的不是乘积"},
    {"Not two reads", "不是读取两个缓冲区"},
    {"Type of the accumulator", "累加器的类型"},
    {"Types of the operands", "操作数的类型"},
    {"Indices are not bare iterators", "下标不是单独的迭代变量"},
    {"Extents are not divisible", "长度不能整除"},
    {"The device lacks it", "设备没有该运算"},
    {"No such operation here yet", "此处尚无该运算"},
    {"An operand is neither a nor b", "有操作数既不是 a 也不是 b"},
    {"No whole warps", "线程束不完整"},
    {"No legal warp tile", "没有合法的线程束分块"},
    {"On tensor cores already", "已在张量核心上"},
    {"A step is refused", "有步骤被拒绝"},
    {"Not reached", "尚未进行"},
    // Pattern.
    {"The body of {} is no single store that adds to itself.", "{} 的主体不是一条累加到自身的存储语句。"},
    {"{} doesn't add to the element that it writes.", "{} 没有累加到它所写的元素上。"},
    {"No iterator of {} is reduced.", "{} 没有归约的迭代变量。"},
    {"{} adds up along {} iterators ({}); a tensor operation along one.",
     "{} 沿 {} 个迭代变量（{}）累加；张量运算只沿一个。"},
    {"{} combines its results by something else than +.", "{} 组合结果用的不是 +。"},
    {"The sum of {} doesn't begin at zero.", "{} 的和不是从零开始。"},
    {"The product is rounded to {} before it is added; a tensor operation adds it unrounded.",
     "乘积先舍入为 {} 再累加；张量运算累加的是未舍入的乘积。"},
    {"What {} adds is no product.", "{} 所累加的不是乘积。"},
    {"A factor of {} is no element of a buffer.", "{} 的一个因子不是缓冲区的元素。"},
    {"Both factors of {} are elements of {}.", "{} 的两个因子都是 {} 的元素。"},
    {"{} doesn't list {} among its reads.", "{} 的读取列表中没有 {}。"},
    {"Tensor cores multiply float16, bfloat16, int8, uint8, int4 and int1, both factors alike; here {} by {}.",
     "张量核心可乘 float16、bfloat16、int8、uint8、int4 和 int1，两个因子类型相同；这里是 {} 乘 {}。"},
    {"Products of {} are not added up in {} by tensor cores.", "张量核心不把 {} 的乘积累加为 {}。"},
    {"The product is {}, the sum {}.", "乘积为 {}，和为 {}。"},
    {"{} of {} is no iterator by itself.", "{}（{} 的下标）不是单独的迭代变量。"},
    {"{} has {} indices and {} {} iterators beside the reduced one.",
     "{} 有 {} 个下标，而 {} 除归约变量外有 {} 个迭代变量。"},
    {"No tile of {} has the shape {}.", "{} 没有形状为 {} 的分块。"},
    {"{} has no tile {} of {}: it came with compute capability {}.{}.",
     "{} 没有分块 {}（{}）：它自计算能力 {}.{} 起才有。"},
    {"Tensor cores have the tile {} of {}, but device programs here have no such operation yet.",
     "张量核心有分块 {}（{}），但此处的设备程序尚无这种运算。"},
    {"{} × {} × {} ({}, {}, {}) is not made of whole tiles {}; pad_einsum would pad it.",
     "{} × {} × {}（{}、{}、{}）不能由完整的分块 {} 组成；可用 pad_einsum 填充。"},
    {"{} is a multiply-add of {} into {}: a tile {} a time.", "{} 是把 {} 的乘积累加到 {}：每次一个分块 {}。"},
    // Operands.
    {"{} is indexed {}: neither [{}, {}] nor [{}, {}] in either order, after the batch's.",
     "{} 的下标为 {}：除批次维外，既不是 [{}, {}]，也不是 [{}, {}]（不论次序）。"},
    {"Both factors are indexed by the same iterators: {} and {}.", "两个因子的下标是相同的迭代变量：{} 和 {}。"},
    {"by rows", "按行"},
    {"by columns", "按列"},
    {"{} is a ({}), {} is b ({}), {} is c ({}).", "{} 是 a（{}），{} 是 b（{}），{} 是 c（{}）。"},
    // Warps.
    {"No block stores {} element by element: another schedule has replaced it by an operation.",
     "没有计算块逐个元素地存储 {}：另一调度已将其替换为运算。"},
    {"{} stores {} under no thread: reverse_compute_at moves it there.",
     "{} 存储 {} 时不在任何线程之下：reverse_compute_at 可将其移入。"},
    {"A block has {} threads ({} × {} × {}), no multiple of the 32 of a warp.",
     "一个线程块有 {} 个线程（{} × {} × {}），不是线程束 32 个线程的整数倍。"},
    {"Which elements of {} a thread stores can't be told from its indices.",
     "无法从下标看出每个线程存储 {} 的哪些元素。"},
    {"The {} elements of a warp are no tile: they have {} rows and {} columns.",
     "一个线程束的 {} 个元素不是分块：它们有 {} 行、{} 列。"},
    {"There are no threads yet, so there is nothing to unify: {} × {} warps a block, each with {} × {} tiles; {} tiles "
     "of "
     "k at a time.",
     "还没有线程，因此无需统一：每个线程块 {} × {} 个线程束，每个线程束 {} × {} 个分块；每次 k 方向 {} 个分块。"},
    {"wx = {}, wy = {}: the 32 threads of a warp compute {} × {} elements, no whole tiles of {} × {}.",
     "wx = {}，wy = {}：一个线程束的 32 个线程计算 {} × {} 个元素，不是 {} × {} 分块的整数倍。"},
    {"The 32 threads of a warp compute {} × {} elements: tiles {}, for which device programs here have no operation "
     "yet.",
     "一个线程束的 32 个线程计算 {} × {} 个元素：即分块 {}，此处的设备程序尚无这种运算。"},
    {"{} warps of {} × {} elements don't make up the {} × {} of their block.",
     "{} 个线程束，每个 {} × {} 个元素，拼不成线程块的 {} × {}。"},
    {"{} × {} is not made of whole blocks of {} × {}.", "{} × {} 不能由完整的 {} × {} 线程块组成。"},
    {"Kept: {} × {} elements a thread block.", "保留：每个线程块 {} × {} 个元素。"},
    {"Kept: {} warps, {} × {}, each {} × {} elements.", "保留：{} 个线程束，{} × {}，每个 {} × {} 个元素。"},
    {"Kept: {} of k in shared memory at a time.", "保留：共享内存中每次存放 k 方向 {} 个元素。"},
    {"Changed: {} of k in shared memory at a time instead of {}; a tile is {} deep.",
     "更改：共享内存中每次存放 k 方向 {} 个元素，而不是 {} 个；一个分块的深度为 {}。"},
    {"New: operands go through shared memory, {} of k at a time.", "新增：操作数经过共享内存，每次 k 方向 {} 个元素。"},
    {"wx = {}, wy = {}: the 32 threads of a warp compute {} × {} elements, {} × {} tiles; threadIdx.x becomes 0, and "
     "all "
     "lanes name the tile's first element.",
     "wx = {}，wy = {}：一个线程束的 32 个线程计算 {} × {} 个元素，即 {} × {} 个分块；threadIdx.x "
     "变为 0，所有线程都指向分块的首元素。"},
    // Loops.
    {"÷ {}: it indexes the rows of a and c", "÷ {}：它是 a 和 c 的行下标"},
    {"÷ {}: it indexes the columns of b and c", "÷ {}：它是 b 和 c 的列下标"},
    {"÷ {}: it indexes the columns of a and the rows of b", "÷ {}：它是 a 的列下标和 b 的行下标"},
    {"unchanged: it indexes no fragment", "不变：它不是片段的下标"},
    {"unchanged: the loops inside it have the factor", "不变：倍数由内层循环承担"},
    {"new: tiles of one warp, which {} threads shared", "新增：一个线程束的各分块，原先由 {} 个线程分担"},
    {"One operation of a warp is {} × {} × {} multiply-adds, {} a thread: loops lose that factor.",
     "线程束的一次运算是 {} × {} × {} 次乘加，每个线程 {} 次：循环减少相应的倍数。"},
    // Any.
    {"No block of the function is a plain loop nest.", "函数中没有计算块是普通的循环嵌套。"},
    {"No plain loop nest has a block {}.", "没有普通的循环嵌套含有计算块 {}。"},
    {"A step is refused: {}", "有步骤被拒绝：{}"},
    // The command line.
    {"looked at {}", "查看了 {}"},
    {"found {}", "实际 {}"},
    {"first unequal: {}", "首个不同之处：{}"},
};

}  // namespace

std::span<const MessageWords> messagesOfTensorize() { return kMessages; }

}  // namespace loom::text
