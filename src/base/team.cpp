#include "base/team.h"

#include <stdexcept>
#include <system_error>
#include <utility>

namespace dualmargin {

namespace {

struct Stopped {};  // a worker, by the end of the round

}  // namespace

// Work as long as this object lives; it leaves no worker at it, however the caller ends.
class Team::Round {
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

Team::~Team() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    ended_ = true;
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void Team::sum(double* x, Index k) {
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

void Team::max(double* x, Index k) {
  if (ranks_ == nullptr) return;
  std::vector<double> all(x, x + k);
  all.push_back(static_cast<double>(++reductions_));
  ranks_->max(all.data(), k + 1);
  std::copy(all.begin(), all.begin() + k, x);
  if (all[k] != static_cast<double>(reductions_)) {
    throw std::logic_error("the ranks do not make the same reductions");
  }
}

Index Team::chunks(double work, double most) const {
  return static_cast<Index>(std::clamp(std::floor(work / grain_), 1.0, most));
}

void Team::for_chunks(Index count, Job f, Tick& tick) {
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

void Team::for_chunks(Index count, FunctionRef<void(Index)> f) {
  Tick silent([] {}, Tick::Clock::now(), HUGE_VAL);
  for_chunks(
      count, [&](Index k, Tick&) { f(k); }, silent);
}

void Team::hire() {
  while (static_cast<int>(workers_.size()) < threads_ - 1) {
    try {
      workers_.emplace_back([this] { serve(); });
    } catch (const std::system_error&) {  // the machine gives no more: those there are will do
      threads_ = static_cast<int>(workers_.size()) + 1;
    }
  }
}

void Team::serve() {
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

void for_blocks(Team& team, Index n, FunctionRef<void(Index, Index, Index)> f) {
  constexpr Index width = 128;
  const Index blocks = (n + width - 1) / width, chunks = team.chunks(8 * static_cast<double>(n));
  team.for_chunks(chunks, [&](Index k) {
    for (Index b = k * blocks / chunks; b < (k + 1) * blocks / chunks; ++b) {
      f(b, b * width, std::min(n, (b + 1) * width));
    }
  });
}

void sum_blocks(Team& team, Index n, Index count, FunctionRef<void(Index, Index, double*)> part,
                double* sums) {
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

}  // namespace dualmargin
