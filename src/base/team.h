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
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/tick.h"

namespace dualmargin {

class Team {
 public:
  using Job = std::function<void(Index chunk, Tick& tick)>;

  // grain: the least work of a chunk, in entries of the data; waking a worker takes as long as some
  // ten thousand of them.
  static constexpr double usual_grain = 65536;
  explicit Team(int threads = 1, double grain = usual_grain, Ranks* ranks = nullptr)
      : threads_(threads), grain_(grain), ranks_(ranks) {}
  ~Team() {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      ended_ = true;
    }
    wake_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int threads() const { return threads_; }
  int rank() const { return ranks_ == nullptr ? 0 : ranks_->rank(); }
  int size() const { return ranks_ == nullptr ? 1 : ranks_->size(); }
  // What the ticks of this team's runs go by; null on one rank.
  Agreement* agreement() { return ranks_ == nullptr ? nullptr : &agreement_; }

  // Over the ranks, in place; the bits are the same on all.
  void sum(double* x, Index k) {
    if (ranks_ == nullptr) return;
    // that a rank is late or asked to stop, and its count of reductions
    std::vector<double> all(x, x + k);
    all.push_back(agreement_.late_here);
    all.push_back(agreement_.stop_here);
    all.push_back(static_cast<double>(++reductions_));
    ranks_->sum(all.data(), k + 3);
    std::copy(all.begin(), all.begin() + k, x);
    if (all[k] > 0) agreement_.late = true;
    if (all[k + 1] > 0) throw StoppedByRank();
    if (all[k + 2] != static_cast<double>(reductions_) * size()) {
      throw std::logic_error("the ranks do not make the same reductions");
    }
  }
  void max(double* x, Index k) {
    if (ranks_ == nullptr) return;
    std::vector<double> all(x, x + k);
    all.push_back(static_cast<double>(++reductions_));
    ranks_->max(all.data(), k + 1);
    std::copy(all.begin(), all.begin() + k, x);
    if (all[k] != static_cast<double>(reductions_)) {
      throw std::logic_error("the ranks do not make the same reductions");
    }
  }
  void max(double& x) { max(&x, 1); }
  // How many chunks so much work is worth, `most` at most.
  Index chunks(double work, double most = 16) const {
    return static_cast<Index>(std::clamp(std::floor(work / grain_), 1.0, most));
  }

  // f(chunk, tick) for every chunk below count, in any order, by one thread each. A worker's tick
  // knows the time and throws where another thread has failed; it asks the user nothing. What a
  // chunk throws, the user's wish to stop among it, leaves here once all threads are at rest.
  void for_chunks(Index count, const Job& f, Tick& tick) {
    if (threads_ <= 1 || count <= 1 || working_) {
      for (Index k = 0; k < count; ++k) {
        f(k, tick);
        tick.look();
      }
      return;
    }
    hire();
    bool late = false;
    {
      const Round round(*this, f, count, tick);
      for (Index k = next_++; k < count && !stop_; k = next_++) {
        f(k, tick);
        tick.look();
      }
      std::unique_lock<std::mutex> lock(mutex_);
      while (!rest_.wait_for(lock, std::chrono::milliseconds(20), [&] { return busy_ == 0; })) {
        lock.unlock();
        tick.look();
        lock.lock();
      }
      late = late_;
    }
    if (late) tick.cut_short();
    if (fault_) std::rethrow_exception(std::exchange(fault_, nullptr));
  }
  // Without anything to ask of the user: for work of a few milliseconds.
  void for_chunks(Index count, const std::function<void(Index)>& f) {
    Tick silent([] {}, Tick::Clock::now(), HUGE_VAL);
    for_chunks(
        count, [&](Index k, Tick&) { f(k); }, silent);
  }

 private:
  struct Stopped {};

  // Work as long as this object lives; it leaves no worker at it, however the caller ends.
  class Round {
   public:
    Round(Team& team, const Job& f, Index count, const Tick& tick) : team_(team) {
      {
        std::lock_guard<std::mutex> lock(team.mutex_);
        team.job_ = &f;
        team.tick_ = &tick;
        team.count_ = count;
        team.next_ = 0;
        team.busy_ = team.workers_.size();
        team.stop_ = team.late_ = false;
        team.fault_ = nullptr;
        team.working_ = true;
        ++team.round_;
      }
      team.wake_.notify_all();
    }
    ~Round() {
      std::unique_lock<std::mutex> lock(team_.mutex_);
      if (team_.busy_ > 0) team_.stop_ = true;
      team_.rest_.wait(lock, [&] { return team_.busy_ == 0; });
      team_.working_ = false;
    }
    Round(const Round&) = delete;

   private:
    Team& team_;
  };

  void hire() {
    while (static_cast<int>(workers_.size()) < threads_ - 1) {
      try {
        workers_.emplace_back([this] { serve(); });
      } catch (const std::system_error&) {  // the machine gives no more: those there are will do
        threads_ = static_cast<int>(workers_.size()) + 1;
      }
    }
  }

  void serve() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (long seen = 0;;) {
      wake_.wait(lock, [&] { return ended_ || round_ != seen; });
      if (ended_) return;
      seen = round_;
      const Job& f = *job_;
      const Index count = count_;
      Tick tick = tick_->of_worker([this] {
        if (stop_) throw Stopped();
      });
      lock.unlock();
      std::exception_ptr fault;
      try {
        for (Index k = next_++; k < count && !stop_; k = next_++) f(k, tick);
      } catch (const Stopped&) {
      } catch (const std::exception&) {
        fault = std::current_exception();
      }
      lock.lock();
      if (fault) {
        if (!fault_) fault_ = fault;
        stop_ = true;
      }
      late_ = late_ || tick.late();
      if (--busy_ == 0) rest_.notify_one();
    }
  }

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
template <class F>
void for_blocks(Team& team, Index n, F f) {
  constexpr Index width = 128;
  const Index blocks = (n + width - 1) / width, chunks = team.chunks(8 * static_cast<double>(n));
  team.for_chunks(chunks, [&](Index k) {
    for (Index b = k * blocks / chunks; b < (k + 1) * blocks / chunks; ++b) {
      f(b, b * width, std::min(n, (b + 1) * width));
    }
  });
}

// The sums of the `count` numbers that part(begin, end, out) leaves for each of these blocks, and
// over the ranks.
inline void sum_blocks(Team& team, Index n, Index count,
                       const std::function<void(Index, Index, double*)>& part, double* sums) {
  const Index blocks = (n + 127) / 128;
  std::vector<double> found(static_cast<std::size_t>(blocks * count));
  for_blocks(team, n,
             [&](Index b, Index begin, Index end) { part(begin, end, found.data() + b * count); });
  for (Index k = 0; k < count; ++k) {
    Sum total;
    for (Index b = 0; b < blocks; ++b) total.add(found[b * count + k]);
    sums[k] = total.value();
  }
  team.sum(sums, count);
}
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
