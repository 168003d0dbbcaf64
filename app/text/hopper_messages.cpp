#include "app/text/messages.h"

namespace loom::text {
namespace {

constexpr MessageWords kMessages[] = {
    // The copy engine, and tensor cores of a warpgroup.
    {"{} multiplies by {} of {}, which lies by rows: tensor cores of a warpgroup take the second factor by columns, "
     "[n, k], unless its elements have 16 bits",
     "{0} 乘以 {1}（{2}），它按行存放：除元素为 16 位外，warpgroup 的张量核心要求第二个因子按列存放，即 [n, k]"},
    {"{} multiplies {} of {}, which lies by columns: tensor cores of a warpgroup take the first factor by rows, "
     "[m, k], unless its elements have 16 bits",
     "{0} 乘 {1}（{2}），它按列存放：除元素为 16 位外，warpgroup 的张量核心要求第一个因子按行存放，即 [m, k]"},
    {"{} multiplies {} by {} to {} as m64n{}k{}, which wgmma doesn't have",
     "{0} 以 m64n{4}k{5} 计算 {1} 乘 {2} 得 {3}，wgmma 没有这种乘积"},
    {"{} isn't a sum of a warpgroup, which lies in local.wgmma", "{} 不是 warpgroup 的和；这样的和位于 local.wgmma"},
    {"{} is a sum of {}×{} tiles, but {} takes one of {}×{}", "{} 是由 {}×{} 分块组成的和，而 {} 要求 {}×{} 的分块"},
    {"sch.tensorize all its blocks with intrinsics of one tile",
     "用同一种分块的内建函数对它的所有计算块做 sch.tensorize"},
    {"wgmma has no sums of {}×{}", "wgmma 没有 {}×{} 的和"},
    {"sch.tensorize(the 64×n loops of {}, \"{}\")", "sch.tensorize({} 的 64×n 循环, \"{}\")"},
    {"{} exists on GPUs of compute capability {} alone, and {} has {}",
     "{} 只存在于计算能力 {} 的 GPU 上，而 {} 为 {}"},
    {"block {} isn't one copy, which is what the copy engine does", "计算块 {} 不是一次拷贝，而拷贝引擎只做拷贝"},
    {"block {} doesn't copy from global to shared memory or back, which is what \"{}\" asks the copy engine for",
     "计算块 {} 不是全局内存与共享内存之间的拷贝，而“{}”正是要拷贝引擎做这件事"},
    {"block {} stores what lies in {} of another block of the cluster, which the copy engine doesn't reach",
     "计算块 {} 写回簇中另一线程块的 {}，而拷贝引擎访问不到"},
    {"\"{}\" is of copies that warps of their own ask for; those of loop {} have none",
     "“{}”用于由专门加载的线程束发起的拷贝；循环 {} 的拷贝不是这样"},
    {"the first copies of loop {} can be early where a block has one tile alone, and the loop's extent is a number",
     "只有线程块仅有一个分块且循环范围为常数时，循环 {} 的最初几次拷贝才能提前"},
    // Clusters.
    {"\"{}\" of block {} is a whole number from 1 to {}: the blocks of a cluster along blockIdx.{}",
     "“{}”（计算块 {}）应为 1 到 {} 的整数：线程块簇沿 blockIdx.{} 的线程块数"},
    {"{} blocks along blockIdx.{} aren't a multiple of the {} that \"{}\" of block {} makes a cluster of",
     "沿 blockIdx.{1} 的 {0} 个线程块不是 {2} 的倍数；“{3}”（计算块 {4}）要求每簇 {2} 个"},
    {"another extent of the loop that is bound to blockIdx.{}", "改变绑定到 blockIdx.{} 的循环的范围"},
    {"a cluster of {} × {} blocks is more than the {} that GPUs allow", "{} × {} 个线程块的簇超过 GPU 允许的 {} 个"},
    {"a cluster of {} blocks, one for each slice of {}, is more than the {} that GPUs allow",
     "每个线程块一片，{1} 的 {0} 片需要 {0} 个线程块的簇，超过 GPU 允许的 {2} 个"},
    {"{} slices of {} in clusters of {} × {} are clusters of {} blocks, more than the {} that GPUs allow",
     "{1} 的 {0} 片与 {2} × {3} 的簇合起来是 {4} 个线程块的簇，超过 GPU 允许的 {5} 个"},
    {"sch.rfactor(…) of a loop of at most {} iterations", "对至多 {} 次迭代的循环做 sch.rfactor(…)"},
    {"{} of scope \"{}\" has {} slices, one for each block of a cluster, and the grid has {} blocks along blockIdx.z",
     "作用域“{1}”中的 {0} 有 {2} 片，簇中每个线程块一片，而网格沿 blockIdx.z 有 {3} 个线程块"},
    {"sch.bind(…, \"blockIdx.z\") of the loop over the first dimension of {}, and of a loop of the same extent around "
     "the block that reads it",
     "对 {} 第一维的循环，以及读取它的计算块外一个范围相同的循环，做 sch.bind(…, \"blockIdx.z\")"},
    {"{} of scope \"{}\" has one dimension; the first one is over the blocks of a cluster",
     "作用域“{1}”中的 {0} 只有一维；第一维对应簇中的线程块"},
    {"a block of a cluster writes only its own slice of {}: the first index is that of the loop that is bound to "
     "blockIdx.z",
     "簇中的线程块只写 {} 中自己的一片：第一个下标应是绑定到 blockIdx.z 的循环的下标"},
    {"sch.bind(…, \"blockIdx.z\") of the loop over the first dimension of {} around the block that writes it",
     "对写入 {} 的计算块外、其第一维的循环做 sch.bind(…, \"blockIdx.z\")"},
    {"the blocks of a cluster meet after each of several tiles, and the warps that load would be waited for, which "
     "wait "
     "for the next tile themselves",
     "簇中的线程块在几个分块的每一个之后会合，会等待专门加载的线程束，而它们自己在等待下一个分块"},
    {"blocks of a cluster would meet in a part of the kernel that not all of them run equally often: one statement "
     "inside it reads what another block wrote",
     "簇中的线程块会在并非都执行同样次数的部分中会合：其中一条语句读取另一线程块写入的数据"},
    {"blocks of a cluster would meet in a part of the kernel that not all of them run equally often (around {}): one "
     "statement inside it reads what another block wrote",
     "簇中的线程块会在并非都执行同样次数的部分中会合（涉及 {}）：其中一条语句读取另一线程块写入的数据"},
    {"a condition, or a loop's length, that is the same for all blocks of the cluster",
     "改用对簇中所有线程块都相同的条件或循环长度"},
    {"a tile for each block of the grid, or copies without \"{}\"", "网格中每个线程块只做一个分块，或拷贝不加“{}”"},
    {"sch.set_scope(…, \"{}\"), so that the blocks of a cluster along {} read each other's parts, or "
     "sch.compute_at(…) or sch.reverse_compute_at(…), which moves the copy into the loop bound to it",
     "用 sch.set_scope(…, \"{0}\") 使沿 {1} 的簇中线程块读取彼此的部分，或用 "
     "sch.compute_at(…)、sch.reverse_compute_at(…) 把拷贝移进绑定到它的循环"},
    {"an operation of the hardware reads only the block's own slice of {}", "硬件操作只读取线程块自己在 {} 中的一片"},
    {"\"{}\" of block {} is \"x\" or \"y\": the axis of the grid along which blocks of a cluster share what is copied",
     "“{}”（计算块 {}）应为 \"x\" 或 \"y\"：簇中的线程块沿网格的这一轴共享所拷贝的数据"},
    {"\"{}\" of block {} needs clusters of several blocks along blockIdx.{}",
     "“{}”（计算块 {}）需要沿 blockIdx.{} 含多个线程块的簇"},
    {"sch.annotate(…, \"{}\", 2)", "sch.annotate(…, \"{}\", 2)"},
    {"the copy engine multicasts what it reads; block {} stores", "拷贝引擎只能多播读取的数据；计算块 {} 是写回"},
    {"\"{}\" of block {} needs warps that load: they wait until the other blocks of the cluster have read a slot",
     "“{}”（计算块 {}）需要专门加载的线程束：它们要等到簇中其他线程块读完一个槽"},
    {"sch.annotate({}, \"{}\", \"load\")", "sch.annotate({}, \"{}\", \"load\")"},
    {"{} rows of the box of block {} aren't {} parts of whole groups of {} rows, in which lines are swizzled",
     "计算块 {1} 的拷贝框有 {0} 行，不能分成 {2} 份、每份为 {3} 行（交错的一组）的整数倍"},
    {"{} blocks that are neighbours along blockIdx.{} don't copy the same part of {} in block {}, or not equally "
     "often, so "
     "that none can do it for all",
     "沿 blockIdx.{1} 相邻的 {0} 个线程块在计算块 {3} 中拷贝的不是 {2} 的同一部分，或次数不同，因此不能由一个代替全部"},
    {"\"{}\" of block {} is 1", "“{}”（计算块 {}）只能为 1"},
    {"\"{}\" is of one block of a kernel, not of {} and {}", "“{}”只能属于核函数的一个计算块，而不是 {} 和 {}"},
    {"\"{}\" of block {}: shared memory of loop {} is in use beside the loop, too",
     "“{}”（计算块 {}）：循环 {} 的共享内存在循环之外也被使用"},
    {"\"{}\": block {} writes no buffer", "“{}”：计算块 {} 不写任何缓冲区"},
    {"\"{}\": block {} writes no shared memory of the kernel's own", "“{}”：计算块 {} 不写核函数自己的共享内存"},
    {"\"{}\" of block {}: the tiles of loop {} lie in {} ring buffers, which become free at different times",
     "“{}”（计算块 {}）：循环 {} 的分块位于 {} 个环形缓冲区，它们在不同时刻空闲"},
    {"\"{}\" of block {}: a block computes several tiles, and the next one's are on their way to the ring buffers by "
     "then",
     "“{}”（计算块 {}）：线程块计算多个分块，那时下一个分块的数据已在送往环形缓冲区的途中"},
    {"\"{}\" of block {}: what it writes is in use before the end of loop {}",
     "“{}”（计算块 {}）：它写入的数据在循环 {} 结束之前就已使用"},
    {"\"{}\" of block {} needs warps that load tiles into ring buffers: who has read the last one tells the others",
     "“{}”（计算块 {}）需要把分块加载到环形缓冲区的线程束：读完最后一个分块者会通知其他线程束"},
    {"no copy of a cluster's blocks can be early: the mbarriers of the others may not be made yet",
     "簇中线程块的拷贝不能提前：其他线程块的 mbarrier 可能尚未建立"},
    {"without \"{}\"", "去掉“{}”"},
    {"without \"{}\", or without \"{}\" and \"{}\"", "去掉“{}”，或去掉“{}”和“{}”"},
    {"\"{}\" of block {} is \"first\" or \"last\": when the L2 cache gives up what is copied",
     "“{}”（计算块 {}）应为 \"first\" 或 \"last\"：L2 缓存最先或最后淘汰所拷贝的数据"},
    {"\"{}\" of block {} is a whole number from {} to {}: the warpgroups that take tiles in turns",
     "“{}”（计算块 {}）应为 {} 到 {} 的整数：轮流计算分块的 warpgroup 数"},
    {"{} warpgroups work on one tile together, and \"{}\" gives each a tile of its own",
     "{} 个 warpgroup 共同计算一个分块，而“{}”使每个 warpgroup 各有自己的分块"},
    {"without sch.bind(…, \"threadIdx.y\")", "不做 sch.bind(…, \"threadIdx.y\")"},
    {"there are no tiles to take in turns: the pipelined loop has no loop around it that a block goes through",
     "没有可以轮流计算的分块：软件流水线的循环之外没有由线程块依次执行的循环"},
    {"sch.split(the loop of tiles, [None, blocks]), of which the inner part is bound to blockIdx.x",
     "sch.split(分块循环, [None, 线程块数])，并把内层绑定到 blockIdx.x"},
    {"{} slots of {}: a thread keeps a bit for the phase of each in one register, which has {}",
     "{1} 有 {0} 个槽：线程用一个寄存器的各一位记录每个槽的阶段，而寄存器只有 {2} 位"},
    {"fewer stages or slots of what the copy engine fills", "减少拷贝引擎所填缓冲区的流水级数或槽数"},
    {"{} warpgroups take tiles in turns, and each stores {} parts of a tile from {} slots of {}: the {} parts that it "
     "leaves out are no whole rounds of the slots, so that its next tile would begin at one that may still be read",
     "{} 个 warpgroup 轮流计算分块，各自分 {} 次从 {} 个槽（{}）写回一个分块：它跳过的 {} 次不是各槽的整数轮，"
     "因此下一个分块的起始槽可能仍在被读取"},
    {"\"{}\" of block {} needs warps that load, which go on while warpgroups take turns",
     "“{}”（计算块 {}）需要专门加载的线程束：各 warpgroup 轮流计算时它们继续加载"},
    {"sch.annotate(the copies, \"{}\", \"load\")", "sch.annotate(各拷贝, \"{}\", \"load\")"},
    {"the copy engine moves boxes of rows and columns as they lie, and loop {} of block {} isn't one of rows or "
     "columns of both {} and {}",
     "拷贝引擎按存放方式搬运由行和列组成的矩形区域，而循环 {}（计算块 {}）不是 {} 和 {} 共同的行或列"},
    {"the copy as cache_read makes it, without fuse or split of its loops",
     "保留 cache_read 生成的拷贝，不对其循环做 fuse 或 split"},
    {"the loops of block {} are bound to threads, but one thread asks the copy engine for the whole box",
     "计算块 {} 的循环绑定到了线程，但整个矩形区域由一个线程交给拷贝引擎"},
    {"without sch.bind of the loops of {}", "不对 {} 的循环做 sch.bind"},
    {"block {} is done under a condition that doesn't only keep it within {}", "计算块 {} 的条件不只是使它不超出 {}"},
    {"the copy engine takes {} as a matrix whose rows lie one after the other", "拷贝引擎把 {} 当作各行依次存放的矩阵"},
    {"block {} doesn't copy from shared to global memory, which is what \"{}\" asks rows to be stored for",
     "计算块 {} 不是从共享内存到全局内存的拷贝，而“{}”要求写回各行"},
    {"no loop of block {} goes through rows of both {} and {} one element after the other",
     "计算块 {} 没有逐元素遍历 {} 和 {} 的行的循环"},
    {"the copy as cache_read makes it, without sch.bind of its last loop",
     "保留 cache_read 生成的拷贝，不对其最后一个循环做 sch.bind"},
    {"a condition of block {} parts its rows, which are stored as a whole",
     "计算块 {} 的条件把行分开，而各行须整体写回"},
    {"rows of block {} have {} elements, {} bytes; the copy engine stores multiples of {} bytes that begin at such in "
     "both {} and {}",
     "计算块 {0} 的一行有 {1} 个元素、{2} 字节；拷贝引擎写回的字节数及其在 {4} 和 {5} 中的起始位置须是 {3} 的倍数"},
    {"the copy engine stores {} for block {}, and the same kernel also uses it elsewhere, where nothing waits until it "
     "has been written",
     "拷贝引擎为计算块 {1} 写回 {0}，而同一核函数在别处也访问它，那里没有等待写完"},
    {"the copy engine stores {} for block {} in each iteration of loop {}, and nothing waits until the one before has "
     "been written",
     "拷贝引擎在循环 {2} 的每次迭代都为计算块 {1} 写回 {0}，而没有等待前一次写完"},
    {"without \"{}\" of block {}, or with the block behind the loop",
     "去掉计算块 {1} 的“{0}”，或把该计算块放到循环之后"},
    {"without \"{}\" of block {}, or with what uses {} in the next kernel",
     "去掉计算块 {1} 的“{0}”，或把访问 {2} 的部分放到下一个核函数"},
    {"the copy engine's map of {} needs extents that are numbers", "拷贝引擎对 {} 的描述要求范围为常数"},
    {"rows of {} are {} bytes long; the copy engine takes rows that begin at multiples of {} bytes",
     "{} 的一行长 {} 字节；拷贝引擎要求各行起始于 {} 字节的倍数"},
    {"without \"{}\" of block {}", "去掉计算块 {1} 的“{0}”"},
    {"a line of the box of block {} has {} elements, {} bytes; the copy engine takes up to {} elements, in multiples "
     "of {} bytes",
     "计算块 {} 的矩形区域的一行有 {} 个元素、{} 字节；拷贝引擎最多接受 {} 个元素，字节数须是 {} 的倍数"},
    {"sch.annotate(…, \"{}\", 128), so that longer rows are several boxes",
     "sch.annotate(…, \"{}\", 128)，使更长的行成为几个矩形区域"},
    {"the box of block {} has {} rows; the copy engine takes up to {}, or several equal boxes",
     "计算块 {} 的矩形区域有 {} 行；拷贝引擎最多接受 {} 行，或几个相等的矩形区域"},
    {"{} is an operation of a whole warpgroup, but stands under loop {}, which is bound to threadIdx.x, so that each "
     "thread would repeat it",
     "{} 是整个 warpgroup 的操作，却位于绑定到 threadIdx.x 的循环 {} 之下，每个线程都会重复执行"},
    {"sch.bind({}, \"threadIdx.y\") instead: a warpgroup's threads lie along threadIdx.x, warpgroups along the other "
     "axes",
     "改为 sch.bind({}, \"threadIdx.y\")：warpgroup 的线程沿 threadIdx.x 排列，各 warpgroup 沿其他轴排列"},
    {"{} is an operation of a whole warpgroup, {} threads along threadIdx.x, but loop {} binds {} there",
     "{} 是整个 warpgroup 的操作，沿 threadIdx.x 需要 {} 个线程，但循环 {} 在那里绑定了 {} 个"},
    {"\"{}\" of block {} is a whole number from 0 to {}: the groups of products that stay on their way",
     "“{}”（计算块 {}）应为 0 到 {} 的整数：允许仍在进行中的乘积组数"},
    {"\"{}\" of block {} is a whole number from 0 on: the iterations whose copies are asked for before the block meets",
     "“{}”（计算块 {}）应为 0 或正整数：在线程块汇合之前就请求拷贝的迭代数"},
    {"{} reads {} by tensor cores of a warpgroup, which take swizzled lines of 32, 64 or 128 bytes",
     "{} 由 warpgroup 的张量核心读取 {}，它们要求按 32、64 或 128 字节交错的行"},
    {"sch.annotate(the block that copies to {}, \"{}\", 128)", "sch.annotate(拷贝到 {} 的计算块, \"{}\", 128)"},
    {"{} reads tiles of {} that are {} elements, {} bytes, across, and lines of {} bytes: a tile is whole lines, or "
     "lies within one",
     "{} 读取 {} 的分块，其宽 {} 个元素、{} 字节，而一行为 {} 字节：分块须是整行，或位于一行之内"},
    {"\"{}\" of block {} asks for {} groups on their way, but what they read has slots for {}",
     "“{}”（计算块 {}）要求允许 {} 组仍在进行中，但它们所读的只有容纳 {} 组的槽"},
    // Warps of their own that load.
    {"\"{}\" of block {} is a multiple of {} from {} to {}: the registers of a thread",
     "“{}”（计算块 {}）应为 {} 的倍数，从 {} 到 {}：每个线程的寄存器数"},
    {"blocks {} and {} of the same warps ask for {} and {} registers",
     "同一组线程束的计算块 {} 和 {} 分别要求 {} 和 {} 个寄存器"},
    {"warps that load stand beside whole warpgroups, {} threads along threadIdx.x and warpgroups along threadIdx.y; "
     "here "
     "{} × {} × {} threads multiply",
     "负责加载的线程束与整个 warpgroup 并列：沿 threadIdx.x 有 {} 个线程，各 warpgroup 沿 threadIdx.y "
     "排列；这里做乘法的线程是 {} × {} × {}"},
    {"{} threads that multiply and {} that load are more than the {} of a block",
     "{} 个做乘法的线程加上 {} 个负责加载的线程，超过了一个线程块的 {} 个"},
    {"\"{}\" moves registers from the warps that load to those that multiply: both say how many they keep",
     "“{}”把寄存器从负责加载的线程束移给做乘法的线程束：两者都要说明各保留多少"},
    {"{} registers for each of {} threads that multiply and {} for each of {} that load are {}; a block has {}",
     "做乘法的线程每个 {} 个寄存器（共 {} 个线程），负责加载的每个 {} 个（共 {} 个线程），合计 {} 个；一个线程块有 {} "
     "个"},
};

}  // namespace

std::span<const MessageWords> messagesOfHopper() { return kMessages; }

}  // namespace loom::text
