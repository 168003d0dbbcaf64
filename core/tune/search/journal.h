#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "core/tune/search/measurer.h"
#include "core/tune/search/prepared.h"
#include "core/tune/search/search.h"

namespace loom::tune {

/// The parameters of a search for a fast schedule. Together with the measured times they determine which candidates
/// (schedules) the search draws.
struct SearchRecord {
  std::string fingerprint;  ///< hash of program, sketches and predicted device, as fingerprintOf returns it
  std::string target;       ///< the words by which the user named the program
  std::string device;       ///< name of the device that measures
  std::string driver;       ///< CUDA version of the device's driver
  std::string toolkit;      ///< the compiler: "NVRTC 13.0"; "executor" for the CPU device
  std::string strategy;     ///< name of the strategy on the command line
  std::uint64_t seed = 1;
  int trials = 0;            ///< the limit of measured candidates (SearchLimits::trials)
  double deviceSeconds = 0;  ///< the limit of device time, in seconds (SearchLimits::deviceSeconds)
};

/// Returns a hash of a program, of the device that predictions are for, and of the program's sketches (schedules with
/// open decisions): their lines, the values of their decisions, and their constraints.
std::string fingerprintOf(const schedule::State& start, const PreparedSearch& prepared);

/// The journals of searches: an SQLite file (WAL) in the user's data folder. A search that has been stopped or killed
/// is run again from its seed, with the results in the journal in place of measurements. Only what was being measured
/// when the search ended is lost. Not thread-safe; several processes may use one file.
class Journal {
 public:
  /// Opens the file, or creates it. Fails with "CantWrite" if the path is empty, if the file can't be opened, read or
  /// written, or if a newer version of the program wrote it.
  static Result<std::unique_ptr<Journal>> open(const std::filesystem::path& file);
  ~Journal();

  /// Begins a new search: all later calls are about it. Fails with "CantWrite", which `fault` has, too; the search
  /// before then stays the current one.
  Result<void> begin(const SearchRecord& search);
  /// Continues, instead of beginning one, the newest search with this fingerprint and device, and with this `seed` and
  /// `strategy` if they are given, and returns its record: all later calls are about it. Returns nothing if there is
  /// none, or the file can't be read; the journal then stays as it was.
  std::optional<SearchRecord> resume(const std::string& fingerprint, const std::string& device,
                                     std::optional<std::uint64_t> seed, const std::optional<std::string>& strategy);

  /// The result of measuring a kernel in this search, and the seconds that a device was used for it.
  struct Known {
    MeasuredKernel result;
    double deviceSeconds = 0;
  };
  /// Returns the stored result of the kernel with this key (KernelText::key); nothing if the search has none, if
  /// another version of the program wrote it in a form that can't be read, or if no search was begun.
  std::optional<Known> known(const std::string& key) const;
  /// Writes the result of measuring a kernel, in place of an earlier one. Does nothing if no search was begun; a
  /// failure is kept in `fault`.
  void put(const std::string& key, const MeasuredKernel& result, double deviceSeconds);
  /// Writes the candidate with index `number`, in place of what was written of it before: its assignment, the name
  /// `sketch` of its sketch, its predicted and measured time, and why it was discarded. Does nothing if no search was
  /// begun; a failure is kept in `fault`.
  void put(std::size_t number, const Candidate& candidate, const std::string& sketch);

  /// Returns why the first write that failed did; empty if none has.
  const Message& fault() const { return fault_; }

  /// Returns $XDG_DATA_HOME/tileloom/searches.db or ~/.local/share/tileloom/searches.db; empty if the user has no home.
  static std::filesystem::path defaultFile();

 private:
  Journal();
  bool write(const char* sql, const std::vector<std::string>& parameters);

  struct Connection;
  std::unique_ptr<Connection> connection_;
  std::string search_;  // number of the current search; empty: none was begun
  Message fault_;
};

/// A measurer that takes results of kernels from a journal, has the other kernels measured by another measurer, and
/// writes the new results to the journal unless its caller does.
class JournaledMeasurer : public Measurer {
 public:
  /// `written` says whether the maker of `measurer` has it write each result to the journal as soon as it is known;
  /// else `measure` writes all results when it ends, none if it fails. Both references must outlive this object.
  JournaledMeasurer(Journal& journal, Measurer& measurer, bool written)
      : journal_(journal), measurer_(measurer), written_(written) {}

  bool hasDevice() override { return measurer_.hasDevice(); }
  std::vector<CompiledKernel> compile(const Kernels& kernels, const gpu::Progress& progress) override {
    return measurer_.compile(kernels, progress);
  }
  /// Returns the results of kernels, in the order of `kernels`: from the journal where it has them, and else from the
  /// other measurer. `deviceSeconds` includes the device time of the results from the journal. With `sideBySide`, the
  /// other measurer measures all kernels, and the journal is neither read nor written. Fails as the other measurer
  /// does.
  Result<MeasuredBatch> measure(const Kernels& kernels, bool sideBySide, const gpu::Progress& progress) override;
  std::optional<document::VendorLine> vendor() override { return measurer_.vendor(); }
  /// Returns how many results came from the journal so far.
  std::size_t replayed() const { return replayed_; }

 private:
  Journal& journal_;
  Measurer& measurer_;
  bool written_;
  std::size_t replayed_ = 0;
};

}  // namespace loom::tune
