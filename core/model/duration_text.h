#pragma once

#include <string>

namespace loom::model {

/// Returns a time, given in µs, in the unit in which it reads best: "187 ns", "5.66 µs", "487.2 µs",
/// "11.8 ms", "146.1 s". In each unit, two decimals below 10 and one below 1000; whole nanoseconds from 100 on; of more
/// than 1000 s, whole seconds. "0 µs" for 0 and negative times, "<0.01 ns" for less than 0.005 ns.
/// Every text of the program, its reports and its command line writes times so.
std::string durationText(double microseconds);

}  // namespace loom::model
