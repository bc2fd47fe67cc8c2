"""Stochastic gradient descent of scikit-learn over a file of rows, for inst/bench/large.R.

Usage: large_sgd.py FILE n d sparse|dense lambda passes goal ...
Fits the logistic loss with a ridge, mean(log(1 + exp(-y w'x))) + lambda/2 |w|^2 without intercept,
by SGDClassifier.partial_fit, chunk by chunk in the order of the file. After each pass the objective
is computed by another reading, which is not timed. It ends when the last goal (an objective) is
reached, or after so many passes. One line of output a pass:
    pass number seconds processor_seconds objective
"""
import sys
import time

import numpy as np
import scipy.sparse
from sklearn.linear_model import SGDClassifier

path, n, d, layout, lam, passes = sys.argv[1:7]
n, d, lam, passes = int(n), int(d), float(lam), int(passes)
goal = min(float(word) for word in sys.argv[7:])


def places():
    """Offset, rows and entries of each chunk, then the offset of the labels."""
    found, at, rows = [], 128, 0
    with open(path, "rb") as file:
        while rows < n:
            file.seek(at)
            _, count, entries, _ = (int(v) for v in np.fromfile(file, "<u8", 4))
            found.append((at + 32, count, entries))
            size = 8 * entries
            if layout == "sparse":
                size += 8 * (count + 1) + 4 * (entries + entries % 2)
            at += 32 + size
            rows += count
    return found, at


chunks, labels_at = places()
with open(path, "rb") as file:
    file.seek(labels_at)
    y = np.fromfile(file, "<f8", n)


def rows_of_file():
    first = 0
    with open(path, "rb") as file:
        for at, count, entries in chunks:
            file.seek(at)
            if layout == "sparse":
                start = np.fromfile(file, "<u8", count + 1)
                column = np.fromfile(file, "<i4", entries + entries % 2)[:entries]
                value = np.fromfile(file, "<f8", entries)
                start = (start - start[0]).astype(np.int32)
                x = scipy.sparse.csr_matrix((value, column, start), shape=(count, d))
            else:
                x = np.fromfile(file, "<f8", entries).reshape(count, d)
            yield x, y[first:first + count]
            first += count


def objective(w):
    total = 0.0
    for x, label in rows_of_file():
        total += np.logaddexp(0, -label * (x @ w)).sum()
    return total / n + lam / 2 * np.dot(w, w)


# the step that scikit-learn recommends; from the second pass on the average of the points, since
# the first steps are long
model = SGDClassifier(loss="log_loss", penalty="l2", alpha=lam, fit_intercept=False,
                      random_state=1, shuffle=True, average=n)
seconds = cpu = 0.0
for number in range(1, passes + 1):
    start, used = time.perf_counter(), time.process_time()
    for x, label in rows_of_file():
        model.partial_fit(x, label, classes=np.array([-1.0, 1.0]))
    seconds += time.perf_counter() - start
    cpu += time.process_time() - used
    reached = objective(np.ravel(model.coef_))
    print("pass", number, repr(seconds), repr(cpu), repr(reached), flush=True)
    if reached <= goal:
        break
