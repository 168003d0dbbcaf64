#pragma once

#include <span>
#include <string_view>

#include "app/text/text.h"

/// The glossary: words of GPU programming that texts use without saying what they mean.
namespace loom::text {

/// A term and what it means.
struct Term {
  Text words;    ///< the words for it, plural and other spellings included, with blanks between them
  Text meaning;  ///< one or two sentences, of which the first names the term
};

namespace terms {

inline constexpr Term kBox{
    {"box boxes", "box 矩形区域"},
    {"A box is a rectangle of a matrix that the copy engine (TMA) moves as a whole: one thread names it, and the "
     "engine "
     "brings it to shared memory, or stores it from there.",
     "box "
     "是矩阵中的一个矩形区域，由拷贝引擎（TMA）整体传输：一个线程指定它，引擎把它送入共享内存，或从共享内存写出。"}};
inline constexpr Term kSlab{
    {"slab slabs", "slab"},
    {"A slab is a strip of a tile's columns, at most 128 bytes wide: as much of a row as a line of shared memory "
     "holds. "
     "Wider tiles are kept and stored slab by slab.",
     "slab 是分块中若干列构成的一段，宽至多 128 字节，即共享内存的一行所能容纳的部分；更宽的分块逐段存放和写出。"}};
inline constexpr Term kPhase{
    {"phase phases", "相位"},
    {"A phase of an mbarrier is one use of its slot. It ends when all threads that are waited for have arrived and all "
     "bytes have landed; then the next one begins.",
     "mbarrier 的一个相位（也称阶段）是其槽的一次使用：所等待的线程全部到达、全部字节写入后结束，下一个随即开始。"}};
inline constexpr Term kGpc{
    {"GPC GPCs", "GPC"},
    {"A GPC (graphics processing cluster) is a group of multiprocessors, up to 18 on Hopper, that lie together. All "
     "blocks of a cluster run within one.",
     "GPC（图形处理簇）是位置相邻的一组 SM，Hopper 上至多 18 个。一个簇的所有线程块都在同一 GPC 内运行。"}};
inline constexpr Term kTma{
    {"TMA", "TMA"},
    {"TMA (tensor memory accelerator) is the copy engine of a multiprocessor: it moves boxes between global and shared "
     "memory while threads do something else.",
     "TMA（张量内存加速器）是 SM 的拷贝引擎：它在全局内存与共享内存之间传输 box，线程同时可做其他工作。"}};
inline constexpr Term kMbarrier{
    {"mbarrier mbarriers", "mbarrier"},
    {"An mbarrier is a barrier in shared memory that counts threads that have arrived and bytes that copies have "
     "brought. Whoever waits for it sees what has landed.",
     "mbarrier 是共享内存中的屏障，计数已到达的线程和拷贝已送达的字节；等待者可见已到达的数据。"}};
inline constexpr Term kWgmma{
    {"wgmma", "wgmma"},
    {"wgmma is Hopper's instruction for tensor cores: a warpgroup multiplies 64 rows by up to 256 columns, which are "
     "read from shared memory, and goes on before the products are done.",
     "wgmma 是 Hopper 的张量核心指令：一个 warpgroup 将 64 行与至多 256 列相乘，列从共享内存读取；"
     "乘积完成之前线程即可继续。"}};
inline constexpr Term kWarpgroup{{"warpgroup warpgroups", "warpgroup"},
                                 {"A warpgroup is four warps, 128 threads, that multiply together.",
                                  "warpgroup 是一起相乘的四个线程束，即 128 个线程。"}};
inline constexpr Term kSlot{
    {"slot slots", "槽"},
    {"A slot is one of the tiles that a ring buffer has room for: while one is multiplied, others are being filled.",
     "槽是环形缓冲中可容纳一个分块的位置：一个槽在做乘法时，其他槽正被填充。"}};

}  // namespace terms

/// Returns all terms of the glossary.
std::span<const Term> allTerms();

/// Returns the term that a word stands for, in a language: "boxes" stands for "box". Upper and lower case are
/// distinguished. The word may have brackets, quotation marks and punctuation around it. Returns null if the glossary
/// doesn't have it.
const Term* termOf(std::string_view word, Language language);

/// Returns the length, in bytes, of the longest word of the glossary that `text` begins with and that has no ASCII
/// characters; 0 if there is none, as always in English. For Chinese text, in which no blanks stand between words.
std::size_t lengthOfTerm(std::string_view text, Language language);

}  // namespace loom::text
