"""Scikit-learn's SGDClassifier by partial_fit over rows in raw files, for inst/bench/large_peers.R.

Usage: large_sgd.py FOLDER n d dense|csr lambda block epochs...
FOLDER has y, data and for csr indices (32 bits) and indptr (doubles), little endian; they are
mapped, and a block of rows at a time is given to partial_fit. After each number of epochs asked for
the mean of the iterates goes to FOLDER/w<epochs>, and a line to standard output: epochs, seconds and
seconds of the processor since the start, and the peak of resident memory in bytes.
"""
import os
import resource
import sys
import time

import numpy as np
import scipy.sparse
from sklearn.linear_model import SGDClassifier

folder, n, d, layout, lam, block = sys.argv[1:7]
n, d, lam, block = int(n), int(d), float(lam), int(block)
wanted = [int(float(e)) for e in sys.argv[7:]]


def mapped(name, kind):
    return np.memmap(os.path.join(folder, name), dtype=kind, mode="r")


y = mapped("y", "<f8")
data = mapped("data", "<f8")
if layout == "csr":
    indices, indptr = mapped("indices", "<i4"), np.asarray(mapped("indptr", "<f8"), dtype=np.int64)


def rows(a, b):
    if layout == "dense":
        return data[a * d:b * d].reshape(b - a, d)
    i, j = indptr[a], indptr[b]
    parts = (data[i:j], indices[i:j], (indptr[a:b + 1] - i).astype(np.int32))
    return scipy.sparse.csr_matrix(parts, shape=(b - a, d))


model = SGDClassifier(loss="log_loss", penalty="l2", alpha=lam, fit_intercept=False, shuffle=False,
                      average=True, random_state=0)
start, cpu = time.perf_counter(), time.process_time()
for epoch in range(1, max(wanted) + 1):
    for a in range(0, n, block):
        b = min(n, a + block)
        model.partial_fit(rows(a, b), y[a:b], classes=[-1.0, 1.0])
    if epoch in wanted:
        seconds, used = time.perf_counter() - start, time.process_time() - cpu
        np.ravel(model.coef_).astype("<f8").tofile(os.path.join(folder, "w%d" % epoch))
        peak = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(epoch, seconds, used, peak, flush=True)
