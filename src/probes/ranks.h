// Ranks that are threads of this process: K of them, each with some of the rows, go through the same
// fit as K machines would. For the law that their certificate is that of one.
#pragma once

#include <condition_variable>
#include <mutex>
#include <vector>

#include "base/ranks.h"
#include "probes/probe.h"

namespace dualmargin::probes {

// What the ranks add up together: everyone brings numbers, everyone waits, everyone takes the result,
// added in the order of the ranks.
class Exchange {
 public:
  explicit Exchange(int size) : brought_(static_cast<std::size_t>(size)) {}

  int size() const { return static_cast<int>(brought_.size()); }
  // A rank that leaves early would be waited for without end.
  void leave() {
    const std::lock_guard<std::mutex> lock(mutex_);
    left_ = true;
    all_.notify_all();
  }
  template <class Combine>  // combine(total, more)
  void combine(int rank, double* x, Index k, Combine combine) {
    brought_[static_cast<std::size_t>(rank)].assign(x, x + k);
    wait();
    std::vector<double> total = brought_[0];
    for (std::size_t r = 1; r < brought_.size(); ++r) {
      if (static_cast<Index>(brought_[r].size()) != k) throw std::logic_error("unequal numbers");
      for (std::size_t i = 0; i < total.size(); ++i) total[i] = combine(total[i], brought_[r][i]);
    }
    wait();  // nobody brings the next numbers before everyone has read these
    std::copy(total.begin(), total.end(), x);
  }

 private:
  void wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    const long round = round_;
    if (++here_ == size()) {
      here_ = 0;
      ++round_;
      all_.notify_all();
    }
    all_.wait(lock, [&] { return left_ || round_ != round; });
    if (left_ && round_ == round) throw std::logic_error("a rank left before the others");
  }

  std::vector<std::vector<double>> brought_;
  std::mutex mutex_;
  std::condition_variable all_;
  int here_ = 0;
  long round_ = 0;
  bool left_ = false;
};

class ThreadRank final : public Ranks {
 public:
  ThreadRank(Exchange& exchange, int rank) : exchange_(exchange), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return exchange_.size(); }
  void sum(double* x, Index k) override {
    exchange_.combine(rank_, x, k, [](double a, double b) { return a + b; });
  }
  void max(double* x, Index k) override {
    exchange_.combine(rank_, x, k, [](double a, double b) { return std::max(a, b); });
  }

 private:
  Exchange& exchange_;
  int rank_;
};

void add_rank_probes(Table& table);

}  // namespace dualmargin::probes
