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

/// The identity of a search and its course: what determines, together with the times, which candidates it draws.
struct SearchRecord {
  std::string fingerprint;  ///< fingerprintOf
  std::string target;       ///< the words that named the program
  std::string device;       ///< name of the device that measures
  std::string driver;       ///< its driver's CUDA version
  std::string toolkit;      ///< "NVRTC 13.0"; "executor" for the CPU device
  std::string strategy;     ///< its name on the command line
  std::uint64_t seed = 1;
  int trials = 0;
  double deviceSeconds = 0;
};

/// Returns the hash of a program, of the spaces of its sketches, and of the device that predictions are for.
std::string fingerprintOf(const schedule::State& start, const PreparedSearch& prepared);

/// The journals of searches: an SQLite file (WAL) in the user's data folder. A search that has been stopped or killed
/// is run again from its seed, with the results that are here in place of measurements. What was being measured when
/// it ended is lost, and nothing else. Not thread-safe; several processes may use one file.
class Journal {
 public:
  /// Opens the file, or creates it. Error "CantWrite".
  static Result<std::unique_ptr<Journal>> open(const std::filesystem::path& file);
  ~Journal();

  /// Begins a search. Error "CantWrite".
  Result<void> begin(const SearchRecord& search);
  /// Returns the newest search with this fingerprint and device, and goes on with it. A `seed` or `strategy`, where
  /// given, must be its own. Nothing where there is none.
  std::optional<SearchRecord> resume(const std::string& fingerprint, const std::string& device,
                                     std::optional<std::uint64_t> seed, const std::optional<std::string>& strategy);

  /// What measuring a kernel of this search came to, and the seconds that a device was used for it.
  struct Known {
    MeasuredKernel result;
    double deviceSeconds = 0;
  };
  /// Returns what is known of the kernel with that key; nothing if it wasn't settled.
  std::optional<Known> known(const std::string& key) const;
  /// Writes what measuring a kernel came to.
  void put(const std::string& key, const MeasuredKernel& result, double deviceSeconds);
  /// Writes all that is known of a candidate: assignment, tier, prediction, time, death.
  void put(std::size_t number, const Candidate& candidate, const std::string& sketch);

  /// Returns why something couldn't be written, for the first that couldn't; empty: all was.
  const Message& fault() const { return fault_; }

  /// Returns $XDG_DATA_HOME/tileloom/searches.db or ~/.local/share/tileloom/searches.db; empty if the user has no home.
  static std::filesystem::path defaultFile();

 private:
  Journal();
  bool write(const char* sql, const std::vector<std::string>& parameters);

  struct Connection;
  std::unique_ptr<Connection> connection_;
  std::string search_;  // its number; empty: none was begun
  Message fault_;
};

/// Measures by another measurer what a journal doesn't know, and writes what came of it.
class JournaledMeasurer : public Measurer {
 public:
  /// `written` says whether `measurer` has its results written as each is settled; else they are written when all are.
  JournaledMeasurer(Journal& journal, Measurer& measurer, bool written)
      : journal_(journal), measurer_(measurer), written_(written) {}

  bool hasDevice() override { return measurer_.hasDevice(); }
  std::vector<CompiledKernel> compile(const Kernels& kernels, const gpu::Progress& progress) override {
    return measurer_.compile(kernels, progress);
  }
  Result<MeasuredBatch> measure(const Kernels& kernels, bool sideBySide, const gpu::Progress& progress) override;
  std::optional<document::VendorLine> vendor() override { return measurer_.vendor(); }
  /// Returns how many results came from the journal.
  std::size_t replayed() const { return replayed_; }

 private:
  Journal& journal_;
  Measurer& measurer_;
  bool written_;
  std::size_t replayed_ = 0;
};

}  // namespace loom::tune
