// The threads of a fit. Where results are added up, work comes in chunks that the data decide on,
// never the number of threads, and they are added in the order of the chunks: so a fit has the same
// bits for every number of threads.
//
// The calling thread works on chunks too. It alone asks whether the user wants to stop; workers
// never touch R. Workers begin with the first work of a team that has several chunks and end with
// the team: between fits there are none, so a process may fork.
//
// What a chunk asks of its own team is done in the thread that the chunk is in.
//
// A team may be one of several ranks, each with some of the rows (base/ranks.h): what it adds up, or
// finds to be the largest, is then that of all of them. Only the calling thread asks them.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

#include "base/function_ref.h"
#include "base/tick.h"

namespace dualmargin {

class Team {
 public:
  using Job = FunctionRef<void(Index chunk, Tick& tick)>;

  // grain: the least work of a chunk, in entries of the data; waking a worker takes as long as some
  // ten thousand of them.
  static constexpr double usual_grain = 65536;
  explicit Team(int threads = 1, double grain = usual_grain, Ranks* ranks = nullptr)
      : threads_(threads), grain_(grain), ranks_(ranks) {}
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int threads() const { return threads_; }
  int rank() const { return ranks_ == nullptr ? 0 : ranks_->rank(); }
  int size() const { return ranks_ == nullptr ? 1 : ranks_->size(); }
  // What the ticks of this team's runs go by; null on one rank.
  Agreement* agreement() { return ranks_ == nullptr ? nullptr : &agreement_; }

  // Over the ranks, in place; the bits are the same on all.
  void sum(double* x, Index k);
  void max(double* x, Index k);
  void max(double& x) { max(&x, 1); }
  // How many chunks so much work is worth, `most` at most.
  Index chunks(double work, double most = 16) const;

  // f(chunk, tick) for every chunk below count, in any order, by one thread each. A worker's tick
  // knows the time and throws where another thread has failed; it asks the user nothing. What a
  // chunk throws, the user's wish to stop among it, leaves here once all threads are at rest.
  void for_chunks(Index count, Job f, Tick& tick);
  // Without anything to ask of the user: for work of a few milliseconds.
  void for_chunks(Index count, FunctionRef<void(Index)> f);

 private:
  class Round;

  void hire();
  void serve();

  int threads_;
  double grain_;
  Ranks* ranks_;
  Agreement agreement_;
  long reductions_ = 0;
  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable wake_, rest_;
  std::atomic<Index> next_{0};
  std::atomic<bool> stop_{false};
  // what follows belongs to the mutex, but for working_, which changes while workers are at rest
  const Job* job_ = nullptr;
  const Tick* tick_ = nullptr;
  Index count_ = 0;
  std::size_t busy_ = 0;
  long round_ = 0;
  bool ended_ = false, late_ = false, working_ = false;
  std::exception_ptr fault_;
};

inline void add(double& total, double term) { total += term; }
template <std::size_t K>
void add(std::array<double, K>& total, const std::array<double, K>& term) {
  for (std::size_t k = 0; k < K; ++k) total[k] += term[k];
}

// f(block, begin, end) for the blocks of sum_over(), of n numbers that lie in vectors.
void for_blocks(Team& team, Index n, FunctionRef<void(Index, Index, Index)> f);

// The sums of the `count` numbers that part(begin, end, out) leaves for each of these blocks, and
// over the ranks.
void sum_blocks(Team& team, Index n, Index count, FunctionRef<void(Index, Index, double*)> part,
                double* sums);
// The sum of part(begin, end); of several sums at once where it is a std::array.
template <class Part>
auto sum_blocks(Team& team, Index n, Part part) {
  using T = std::decay_t<decltype(part(Index{0}, Index{0}))>;
  if constexpr (std::is_arithmetic_v<T>) {
    double sum = 0;
    sum_blocks(
        team, n, 1,
        [&part](Index begin, Index end, double* out) {
          *out = static_cast<double>(part(begin, end));
        },
        &sum);
    return sum;
  } else {
    T sums{};
    sum_blocks(
        team, n, static_cast<Index>(sums.size()),
        [&part](Index begin, Index end, double* out) {
          const T found = part(begin, end);
          std::copy(found.begin(), found.end(), out);
        },
        sums.data());
    return sums;
  }
}

// sum_over() of numeric.h by a team, with the same result on one rank.
template <class Term>
auto sum_over(Team& team, Index n, Term term) {
  using T = std::decay_t<decltype(term(Index{0}))>;
  return sum_blocks(team, n, [&](Index begin, Index end) {
    T total{};
    for (Index i = begin; i < end; ++i) add(total, term(i));
    return total;
  });
}

}  // namespace dualmargin
