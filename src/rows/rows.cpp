#include "rows/rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "rows/known_rows.h"
#include "rows/weighted_gram.h"

namespace dualmargin {

namespace {

// Rows between two looks at the clock (Tick::row()): a loop of a storage is no longer.
constexpr Index stretch = 256;

// f(begin, end) for stretches of rows begin, ..., end - 1, of `most` at the longest.
template <class F>
void for_stretches(Index begin, Index end, Tick& tick, F f, Index most = stretch) {
  while (begin < end) {
    const Index here = std::min(end, (begin / most + 1) * most);
    f(begin, here);
    tick.row(here - 1);
    begin = here;
  }
}

// Sums by columns come in two levels of blocks within a range, and then over the ranges. A block is
// worth adding once it has some entries for each coordinate.
constexpr Index block_rows = 32;

class BlockSum {
 public:
  explicit BlockSum(Index p) : low(Vec::Zero(p)) {}

  Vec low;  // of the block that is added up
  void end_block() {
    carry(low, middle_);
    if (++blocks_ < block_rows) return;
    carry(middle_, high_);
    blocks_ = 0;
  }
  Vec total() {
    if (middle_.size() > 0) low += middle_;
    if (high_.size() > 0) low += high_;
    return std::move(low);
  }

 private:
  static void carry(Vec& from, Vec& to) {
    if (to.size() == 0) to = Vec::Zero(from.size());
    to += from;
    from.setZero();
  }

  Vec middle_, high_;
  Index blocks_ = 0;
};

}  // namespace

Rows::Rows(const Storage& x, const RowVec& y_, const RowVec& weights_, Team& team_,
           Places id, Vec shift_, std::shared_ptr<Known> known,
           std::shared_ptr<Weighed> weighed)
    : RowSums(id == nullptr ? x.n() : static_cast<Index>(id->size()), team_),
      y(y_),
      weights(weights_),
      total_weight(
          weighed->total.get([&] { return accurate_sum([&](Index i) { return weights_[i]; }); })),
      shift(std::move(shift_)),
      shifted(!shift.isZero(0)),
      x_(x),
      id_(std::move(id)),
      known_(std::move(known)),
      weighed_(std::move(weighed)) {}
Rows::Rows(const Storage& x, const RowVec& y_, const RowVec& weights_, Team& team_)
    : Rows(x, y_, weights_, team_, nullptr, x.shift.size() > 0 ? x.shift : Vec(Vec::Zero(x.dim())),
           std::make_shared<Known>(), std::make_shared<Weighed>()) {}
Rows::Rows(const Rows& rows, const RowVec& y_, const RowVec& weights_)
    : Rows(rows.x_, y_, weights_, rows.team, rows.id_, rows.shift, rows.known_,
           &weights_ == &rows.weights ? rows.weighed_ : std::make_shared<Weighed>()) {
  offset = rows.offset;
}
Rows::Rows(const Rows& all, const RowChoice& some)
    : Rows(all.x_, some.y, some.weights, all.team, all.places(some), all.shift,
           std::make_shared<Known>(), std::make_shared<Weighed>()) {
  if (all.offset != nullptr) offset = &some.offset;
}
Rows::Places Rows::places(const RowChoice& some) const {
  if (id_ == nullptr) return Places(Places(), &some.id);
  auto id = std::make_shared<std::vector<Index>>();
  for (const Index i : some.id) id->push_back(at(i));
  return id;
}
Rows Rows::unmoved() const {
  Rows still(x_, y, weights, team, id_, Vec::Zero(dim()), known_, weighed_);
  still.offset = offset;
  return still;
}

void Rows::for_ranges(FunctionRef<void(Index, Index, Tick&)> f, Tick& tick) const {
  const std::vector<Index>& bound = ranges();
  const auto count = static_cast<Index>(bound.size()) - 1;
  team.for_chunks(
      count, [&](Index k, Tick& t) { f(bound[k], bound[k + 1], t); }, tick);
}

RowVec Rows::multiply(const Vec& w, Tick& tick) const {
  RowVec z(n());
  const auto pass = x_.pass(w.data());
  for_ranges(
      [&](Index begin, Index end, Tick& t) {
        for_stretches(begin, end, t,
                      [&](Index from, Index to) { pass->multiply(id(), from, to, &z[from]); });
      },
      tick);
  if (shifted) z -= shift.dot(w);
  return z;
}

Mat Rows::multiply_all(const ConstMatRef& W, Tick& tick) const {
  Mat Z(n(), W.cols());
  std::vector<std::unique_ptr<PassLoops>> pass;
  for (Index c = 0; c < W.cols(); ++c) pass.push_back(x_.pass(W.col(c).data()));
  for_ranges(
      [&](Index begin, Index end, Tick& t) {
        for_stretches(begin, end, t, [&](Index from, Index to) {
          for (Index c = 0; c < W.cols(); ++c) pass[c]->multiply(id(), from, to, &Z(from, c));
        });
      },
      tick);
  if (shifted) Z.rowwise() -= shift.transpose() * W;
  return Z;
}

Vec Rows::multiply(const std::vector<Index>& some, const Vec& w, Tick& tick) const {
  const auto count = static_cast<Index>(some.size());
  Vec z(count);
  const double each =
      !x_.is_kernel() && n() > 0 ? entries_here().total / static_cast<double>(n()) : 1;
  const Index chunks = team.chunks(each * static_cast<double>(count));
  std::vector<Index> stored(some);
  for (Index& i : stored) i = at(i);
  const auto pass = x_.pass(w.data());
  const auto range = [&](Index c, Tick& t) {
    for_stretches(c * count / chunks, (c + 1) * count / chunks, t,
                  [&](Index from, Index to) { pass->multiply(stored.data(), from, to, &z[from]); });
  };
  team.for_chunks(chunks, range, tick);
  if (shifted) z.array() -= shift.dot(w);
  return z;
}

Vec Rows::transpose_multiply(const RowSpan& coef, Tick& tick) const {
  if (x_.is_kernel()) return x_.combine(Eigen::Map<const Vec>(coef.data(), n()), tick);
  const auto pass = x_.pass(nullptr);
  Vec u = pass->divided(summed(
      [&](Index begin, Index end, Vec& u) { pass->add(id(), begin, end, coef.data() + begin, u); },
      tick));
  if (shifted) u -= shift * sum([&](Index i) { return coef.data()[i]; });
  return u;
}

Mat Rows::transpose_multiply_all(const Mat& coef, Tick& tick) const {
  if (x_.is_kernel()) return x_.combine(coef, tick);
  Mat w(dim(), coef.cols());
  for (Index c = 0; c < coef.cols(); ++c) {
    w.col(c) = transpose_multiply(Vec(coef.col(c)), tick);
  }
  return w;
}

double Rows::additions() const {
  if (x_.is_kernel()) return x_.additions();
  const double chunks = static_cast<double>(wide_ranges().size()) - 1;
  const double rows = std::max(1.0, std::ceil(static_cast<double>(n()) / chunks));
  const double width = static_cast<double>(block_rows);
  const double entries = std::max(1.0, longest_row());
  const double block = std::min(rows, std::max(width, block_entries() / entries));
  double most = block + std::min(rows / block, width) + rows / (block * width) + chunks;
  team.max(most);
  return most + team.size() - 1;
}

Vec Rows::column_squares(const RowVec& h, Tick& tick) const {
  const auto pass = x_.pass(nullptr);
  return pass->divided(pass->divided(
      summed([&](Index begin, Index end,
                 Vec& u) { pass->add_squares(id(), begin, end, h.data() + begin, u); },
             tick)));
}

void Rows::refuse_moved() const {
  if (shifted) throw std::logic_error("this pass does not move rows");
}

Vec Rows::gradient(const Vec& w, FunctionRef<double(Index, double)> slope, Tick& tick) const {
  refuse_moved();
  const auto pass = x_.pass(w.data());
  return pass->divided(summed(
      [&](Index begin, Index end, Vec& u) {
        std::array<double, stretch> c;
        pass->multiply(id(), begin, end, c.data());
        for (Index i = begin; i < end; ++i) c[i - begin] = slope(i, c[i - begin]);
        pass->add(id(), begin, end, c.data(), u);
      },
      tick));
}

Rows::NormalProduct Rows::normal_multiply(const RowVec& h, const Eigen::Ref<const Vec>& v,
                                          double more, Tick& tick) const {
  refuse_moved();
  RowVec s = RowVec::Zero(n());
  const auto pass = x_.pass(v.data());
  const auto add = [&](Index begin, Index end, Vec& u) {
    std::array<Index, stretch> used, stored{};  // few rows, where the loss has flat pieces
    std::array<double, stretch> c;
    Index count = 0;
    for (Index i = begin; i < end; ++i) {
      if (h[i] == 0) continue;
      used[count] = i;
      stored[count++] = at(i);
    }
    pass->multiply(stored.data(), 0, count, c.data());
    for (Index k = 0; k < count; ++k) c[k] = s[used[k]] = h[used[k]] * (c[k] + more);
    pass->add(stored.data(), 0, count, c.data(), u);
  };
  Vec image = pass->divided(summed(add, tick));
  return {std::move(image), sum([&](Index i) { return s[i]; })};
}

void Rows::gram(std::vector<Index> rows, const Vec& h, const std::vector<Index>& map, Mat& H,
                Tick& tick) const {
  for (Index& i : rows) i = at(i);
  if (team.size() == 1) return add_weighted_gram(x_, rows, h, map, H, team, tick);
  Mat G = Mat::Zero(H.rows(), H.cols());
  add_weighted_gram(x_, rows, h, map, G, team, tick);
  team.sum(G.data(), G.size());
  H.triangularView<Eigen::Lower>() += G;
}

double Rows::gram_additions() const {
  return dualmargin::gram_additions(x_, count()) + team.size();
}

Mat Rows::products(const std::vector<Index>& some, const Vec& metric, Tick& tick) const {
  std::vector<Index> stored(some);
  for (Index& i : stored) i = at(i);
  return x_.products(stored, metric, team, tick);
}
Mat Rows::products(const Vec& metric, Tick& tick) const {
  std::vector<Index> all(static_cast<std::size_t>(n()));
  std::iota(all.begin(), all.end(), Index{0});
  return products(all, metric, tick);
}

Vec Rows::column_sums(FunctionRef<void(Index, Vec&)> visit, Tick& tick) const {
  return summed(
      [&](Index begin, Index end, Vec& u) {
        for (Index i = begin; i < end; ++i) visit(i, u);
      },
      tick);
}

// Of what add(begin, end, u) adds to u for rows begin, ..., end - 1, `stretch` at most.
Vec Rows::summed(FunctionRef<void(Index, Index, Vec&)> add, Tick& tick) const {
  const std::vector<Index>& bound = wide_ranges();
  const Index count = static_cast<Index>(bound.size()) - 1;
  const double enough = block_entries();
  // of a file one, which a block of it holds: what looks at rows twice reads them once
  const Index together = x_.is_file() ? 1 : stretch;
  const auto range = [&](Index k, Tick& t) {
    BlockSum sum(dim());
    const Index last = bound[k + 1];
    for (Index i = bound[k]; i < last;) {
      const Index begin = i;
      double entries = 0;
      do {
        entries += static_cast<double>(nonzeros(i++));
      } while (i < last && (i - begin < block_rows || entries < enough));
      const auto look = [&](Index from, Index to) { add(from, to, sum.low); };
      for_stretches(begin, i, t, look, together);
      if (i < last) sum.end_block();
    }
    return sum.total();
  };
  std::vector<Vec> part(static_cast<std::size_t>(team.threads() == 1 ? 0 : count));
  if (!part.empty()) {
    team.for_chunks(
        count, [&](Index k, Tick& t) { part[k] = range(k, t); }, tick);
  }
  Vec total = part.empty() ? range(0, tick) : std::move(part[0]);
  for (Index k = 1; k < count; ++k) total += part.empty() ? range(k, tick) : part[k];
  team.sum(total.data(), dim());
  return total;
}

RowVec Rows::of_rows(FunctionRef<double(Index)> number) const {
  RowVec all(n());
  const std::vector<Index>& bound = ranges();
  team.for_chunks(static_cast<Index>(bound.size()) - 1, [&](Index k) {
    for (Index i = bound[k]; i < bound[k + 1]; ++i) all[i] = number(i);
  });
  return all;
}
const RowVec& Rows::squared_norms() const {
  return known_->squares.get(
      [&] { return of_rows([&](Index i) { return x_.row_square(at(i)); }); });
}
const RowVec& Rows::lengths() const {
  return known_->lengths.get([&] { return of_rows([&](Index i) { return length(i); }); });
}
const Vec& Rows::column_norms(Tick& tick) const {
  return weighed_->column_norms.get(
      [&]() -> Vec { return column_squares(weights / total_weight, tick).cwiseSqrt(); });
}
double Rows::longest_row() const { return entries().longest; }
double Rows::nonzeros() const { return entries().total; }
double Rows::count() const { return entries().rows; }

const Rows::Entries& Rows::entries_here() const {
  return known_->here.get([&] {
    Entries all;
    for (Index i = 0; i < n(); ++i) {
      const double entries = static_cast<double>(nonzeros(i));
      all.total += entries;
      all.longest = std::max(all.longest, entries);
    }
    all.rows = static_cast<double>(n());
    return all;
  });
}
const Rows::Entries& Rows::entries() const {
  return known_->everywhere.get([&] {
    Entries all = entries_here();
    double both[2] = {all.total, all.rows};
    team.sum(both, 2);
    team.max(all.longest);
    return Entries{both[0], all.longest, both[1]};
  });
}

// Bounds of ranges of about as many entries each.
std::vector<Index> Rows::cut(Index count) const {
  std::vector<Index> bound(1, 0);
  double entries = 0;
  for (Index i = 0; i < n(); ++i) {
    entries += static_cast<double>(nonzeros(i));
    const double share = entries_here().total * static_cast<double>(bound.size()) / count;
    if (entries >= share && static_cast<Index>(bound.size()) < count) bound.push_back(i + 1);
  }
  bound.push_back(n());
  return bound;
}
const std::vector<Index>& Rows::ranges() const {
  return known_->ranges.get([&] { return cut(team.chunks(entries_here().total)); });
}
double Rows::block_entries() const { return 4 * static_cast<double>(dim()); }
const std::vector<Index>& Rows::wide_ranges() const {
  return known_->wide_ranges.get([&] {
    const double total = entries_here().total;
    const double most = std::floor(total / std::max(1.0, 4 * block_entries()));
    return cut(team.chunks(total, std::clamp(most, 1.0, 16.0)));
  });
}

double Rows::length(Index i) const {
  const double square = x_.row_square(at(i));
  if (x_.is_kernel() || (square > 1e-280 && square < 1e280)) return std::sqrt(square);
  double largest = 0, scaled = 0;
  for_each(i, [&](Index, double v) { largest = std::max(largest, std::abs(v)); });
  if (!(largest > 0)) return largest;
  for_each(i, [&](Index, double v) { scaled += (v / largest) * (v / largest); });
  return largest * std::sqrt(scaled);
}

}  // namespace dualmargin
