#include "core/schedule/annotation_keys.h"

#include <algorithm>

namespace loom::schedule {
namespace {

Value number(std::int64_t n) { return Value{n}; }
Value text(std::string_view t) { return Value{std::string(t)}; }
Value list(const std::vector<std::int64_t>& numbers) {
  List all;
  for (const std::int64_t n : numbers) all.push_back(number(n));
  return Value{std::move(all)};
}
std::vector<Value> numbers(std::initializer_list<std::int64_t> all) {
  std::vector<Value> values;
  for (const std::int64_t n : all) values.push_back(number(n));
  return values;
}

// The last statement some iterations behind the others, which bring what it reads.
std::vector<Value> stages(int statements) {
  std::vector<Value> all;
  for (std::int64_t last = 1; last <= 7; ++last) {
    std::vector<std::int64_t> stage(std::size_t(std::max(statements, 1)), 0);
    stage.back() = last;
    all.push_back(list(stage));
  }
  return all;
}
// As they stand, and with the last one first.
std::vector<Value> orders(int statements) {
  std::vector<std::int64_t> order(std::size_t(std::max(statements, 1)));
  for (std::size_t n = 0; n < order.size(); ++n) order[n] = std::int64_t(n);
  std::vector<std::int64_t> lastFirst(order);
  std::ranges::rotate(lastFirst, lastFirst.begin() + 1);
  return {list(order), list(lastFirst)};
}

constexpr AnnotationKey kKeys[] = {
    {"software_pipeline_stage", true, "How many iterations later each statement of the loop's body is executed.",
     "循环体的每条语句推迟多少次迭代执行。", stages},
    {"software_pipeline_order", true, "In which order the statements of different iterations are executed together.",
     "不同迭代的语句一起执行时的次序。", orders},
    {"software_pipeline_async_stages", true, "The stages whose copies are started, and waited for where they are read.",
     "哪些阶段的拷贝只启动，到读取时才等待。", [](int) { return std::vector{list({0})}; }},
    {"tileloom.unroll_stages", true, "So many turns of the pipeline as one iteration, of which the versions are known.",
     "软件流水线的几轮合成一次迭代，其中各版本是已知的。",
     [](int) {
       return numbers({2, 3, 4, 6, 8});
     }},
    {"pragma_auto_unroll_max_step", true, "Loops inside are unrolled up to so many steps.",
     "内部循环展开到至多这么多步。",
     [](int) {
       return numbers({16, 64, 512});
     }},
    {"pragma_unroll_explicit", true, "Whether unrolled loops are written out, or left to the compiler.",
     "展开的循环是写出来，还是交给编译器。",
     [](int) {
       return numbers({0, 1});
     }},
    {"tileloom.swizzle", false,
     "The 16-byte pieces of so many bytes of a row change places, so that rows don't meet in one bank.",
     "一行中这么多字节里的 16 字节片段交换位置，使各行不落入同一个 bank。",
     [](int) {
       return numbers({128, 64, 32});
     }},
    {"tileloom.copy", false,
     "The copy engine (TMA) does the copy: one thread asks for boxes of a matrix (tma), or threads for rows that are "
     "stored (bulk).",
     "由拷贝引擎（TMA）完成这次拷贝：一个线程请求矩阵的矩形区域（tma），或线程请求写回各行（bulk）。",
     [](int) {
       return std::vector{text("tma"), text("bulk")};
     }},
    {"tileloom.role", false, "Warps of their own ask for the copies, a ring ahead of those that multiply.",
     "由专门的线程束请求拷贝，比做乘法的线程束早一个环。", [](int) { return std::vector{text("load")}; }},
    {"tileloom.registers", false, "The registers of each thread of the block's warps (setmaxnreg).",
     "该计算块的线程束中每个线程的寄存器数（setmaxnreg）。",
     [](int) {
       return numbers({40, 232, 24, 160, 240});
     }},
    {"tileloom.in_flight", false, "So many groups of products stay on their way while the next are started.",
     "启动下一组乘积时，允许这么多组仍在进行。",
     [](int) {
       return numbers({1, 2, 3});
     }},
    {"tileloom.turns", false, "So many warpgroups take tiles in turns: one stores while another multiplies.",
     "这么多 warpgroup 轮流计算分块：一个写回时另一个相乘。",
     [](int) {
       return numbers({2, 3});
     }},
    {"tileloom.early", false, "The copies of so many iterations are asked for before the threads of the block meet.",
     "这么多次迭代的拷贝在线程块会合之前就请求。",
     [](int) {
       return numbers({1, 2, 4});
     }},
    {"tileloom.over_ring", false,
     "What the block writes lies in the bytes of the ring of tiles, which are free by then.",
     "该计算块写入的数据放在分块环的字节中，那时它们已空闲。", [](int) { return numbers({1}); }},
    {"tileloom.evict", false, "What is copied is the first, or the last, that the L2 cache gives up.",
     "所拷贝的数据由 L2 缓存最先或最后淘汰。",
     [](int) {
       return std::vector{text("first"), text("last")};
     }},
    {"tileloom.cluster_x", false, "So many blocks along blockIdx.x run together and reach each other's shared memory.",
     "沿 blockIdx.x 这么多个线程块同时运行，并能访问彼此的共享内存。",
     [](int) {
       return numbers({2, 4});
     }},
    {"tileloom.cluster_y", false, "So many blocks along blockIdx.y run together and reach each other's shared memory.",
     "沿 blockIdx.y 这么多个线程块同时运行，并能访问彼此的共享内存。",
     [](int) {
       return numbers({2, 4});
     }},
    {"tileloom.multicast", false, "Blocks of a cluster along this axis each copy a part, which all get.",
     "簇中沿此轴的线程块各拷贝一部分，全部线程块都得到。",
     [](int) {
       return std::vector{text("x"), text("y")};
     }},
    {"tileloom.slots", false, "What the block writes has so many slots, which iterations use in turns.",
     "该计算块所写的内容有这么多个槽，由各次迭代轮流使用。",
     [](int) {
       return numbers({2, 3, 4, 6, 8});
     }},
    {"tileloom.place", false,
     "Of the places at which the block reads a buffer, by number, the next cache_read takes this one alone.",
     "该计算块在多处读取同一缓冲区时，下一次 cache_read 只改这一处（按编号）。",
     [](int) {
       return numbers({1, 2});
     }},
    {"tileloom.value", false, "The next cache_read of the block copies what the block makes of each element.",
     "该计算块的下一次 cache_read 拷贝它由每个元素算得的值。", [](int) { return numbers({1}); }},
    {"double_buffer_scope", false, "The buffer that the block writes, by its number, has two versions in a pipeline.",
     "该计算块写的缓冲区（按编号）在软件流水线中有两个版本。", [](int) { return numbers({0}); }},
    {"permuted_layout", false, "TVM's own swizzle of what the block copies to shared memory.",
     "TVM 自己对拷入共享内存的内容的交错。", [](int) { return numbers({1}); }},
    {"buffer_dim_align", false, "Rows of a buffer are padded: [[buffer, axis, factor, offset]].",
     "缓冲区的行加填充：[[缓冲区, 轴, 倍数, 偏移]]。",
     [](int) {
       return std::vector{Value{List{list({0, 0, 32, 8})}}};
     }},
    {"tileloom.order", false, "The rows of two unrolled loops go forth and back, so that neighbours share a factor.",
     "两个展开的循环来回行进，使相邻的乘积共用一个因子。", [](int) { return std::vector{text("serpentine")}; }},
    {"tileloom.min_blocks", false, "So many blocks are to fit a multiprocessor, which bounds the registers.",
     "一个 SM 至少容纳这么多线程块，由此限制寄存器。",
     [](int) {
       return numbers({1, 2, 3, 4});
     }},
    {"tir.manifest_shared_memory_local_stage", false, "A copy to shared memory goes through registers, in two steps.",
     "到共享内存的拷贝分两步，先经过寄存器。", [](int) { return numbers({1}); }},
};

}  // namespace

std::span<const AnnotationKey> annotationKeys() { return kKeys; }

const AnnotationKey* findAnnotationKey(std::string_view key) {
  const auto found = std::ranges::find(kKeys, key, &AnnotationKey::key);
  return found == std::ranges::end(kKeys) ? nullptr : &*found;
}

}  // namespace loom::schedule
