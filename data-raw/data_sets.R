# Writes inst/extdata/data_sets.csv, the list that margin_data() works from.
#
# DUALMARGIN_DATA names the folder of the files; its MANIFEST.csv gives file, n, d and sha256.
# Run from the root of the sources:  Rscript data-raw/data_sets.R

folder <- Sys.getenv("DUALMARGIN_DATA")
manifest <- utils::read.csv(file.path(folder, "MANIFEST.csv"))

libsvm_page <- "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/"
adult <- "UCI Adult (Becker and Kohavi 1996) in Platt's 123 binary features, LIBSVM data page"
web <- "Web pages (Platt 1998), LIBSVM data page"
cc_by <- "CC BY 4.0"
no_licence <- "none stated; public research data"
microarray <- "https://github.com/ramhiser/datamicroarray"
array_licence <- "none stated by the authors; copy in R package datamicroarray (MIT)"

# format "libsvm" and "libsvm from 0": text for read_libsvm(). "csv" and "csv;": a table, by its
# separator; `response` is its response column, `levels` its codes in the order of the factor as
# code=level (second level positive), `drop` columns that are no features, `header` the column names
# where the file has none.
row <- function(name, file, format, source, address, licence, response = "", levels = "", drop = "",
                header = "", note = "", bundled = FALSE) {
  data.frame(name, file, format, bundled, response, levels, drop, header, source, address, licence,
             note)
}
libsvm <- function(name, source, licence, ..., file = paste0(name, ".gz"),
                   address = libsvm_page, format = "libsvm") {
  row(name, file, format, source, address, licence, ...)
}
gene <- function(name, file, levels, source, ..., response = "label", address = microarray,
                 licence = array_licence) {
  row(name, file, "csv", source, address, licence, response = response, levels = levels, ...)
}
adult_names <- c("a1a.t", "a2a", "a2a.t", "a3a", "a3a.t", "a4a", "a4a.t", "a6a", "a7a", "a8a",
                 "a9a", "a9a.t")
covtype <- "a sample of 92,962 of the 581,012 rows, classes in proportion"
spam_words <- scan("data-raw/spambase_names.txt", "", quiet = TRUE)

sets <- rbind(
  libsvm("a1a", adult, cc_by, bundled = TRUE),
  do.call(rbind, lapply(adult_names, libsvm, source = adult, licence = cc_by)),
  libsvm("w8a", web, no_licence),
  libsvm("w8a.t", web, no_licence),
  libsvm("ijcnn1", "IJCNN 2001 challenge (Prokhorov 2001), LIBSVM data page", no_licence),
  libsvm("mushrooms", "UCI Mushroom (1981), LIBSVM data page", cc_by, note = "labels are 1 and 2"),
  libsvm("phishing", "UCI Phishing Websites (Mohammad and McCluskey 2012), LIBSVM data page", cc_by,
         note = "labels are 0 and 1"),
  libsvm("covtype_sub92962", "UCI Covertype (Blackard 1998), scaled to [0, 1]", cc_by,
         file = "covtype_sub92962.binary.scale.gz",
         address = "https://archive.ics.uci.edu/dataset/31/covertype",
         note = paste0(covtype, "; 1 is cover type 2, -1 any other")),
  libsvm("leu", "Leukemia training set (Golub and others 1999), LIBSVM data page", no_licence),
  libsvm("rcv1_vw1000", "Reuters RCV1-v2 (Lewis and others 2004)",
         "BSD-3 (VowpalWabbit test files)",
         address = "https://github.com/VowpalWabbit/vowpal_wabbit",
         note = "an excerpt of 1,000 documents"),
  libsvm("rcv1_vw500.t", "Reuters RCV1-v2 (Lewis and others 2004)",
         "BSD-3 (VowpalWabbit test files)",
         address = "https://github.com/VowpalWabbit/vowpal_wabbit",
         note = "an excerpt of 500 documents"),
  libsvm("imdb", "Large Movie Review Dataset 1.0 (Maas and others 2011)",
         "free for research with citation", format = "libsvm from 0",
         file = "imdb_train_labeledBow.feat.gz",
         address = "https://ai.stanford.edu/~amaas/data/sentiment/",
         note = "word counts; y is the rating, 1 to 10, and above 5 is positive"),
  libsvm("imdb.t", "Large Movie Review Dataset 1.0 (Maas and others 2011)",
         "free for research with citation", format = "libsvm from 0",
         file = "imdb_test_labeledBow.feat.gz",
         address = "https://ai.stanford.edu/~amaas/data/sentiment/",
         note = paste("word counts counted again from the reviews, a few may differ; y is the",
                      "rating, 1 to 10, and above 5 is positive")),
  row("spambase", "spambase.data.gz", "csv", "UCI Spambase (Hopkins and others 1999)",
      "https://archive.ics.uci.edu/dataset/94/spambase", cc_by, response = "type",
      levels = "0=nonspam 1=spam", header = paste(c(spam_words, "type"), collapse = " "),
      bundled = TRUE),
  row("magic04", "magic04.data.gz", "csv", "UCI MAGIC Gamma Telescope (Bock 2004)",
      "https://archive.ics.uci.edu/dataset/159/magic+gamma+telescope", cc_by, response = "class",
      levels = "h=hadron g=gamma",
      header = "fLength fWidth fSize fConc fConc1 fAsym fM3Long fM3Trans fAlpha fDist class"),
  row("bank", "bank.csv.gz", "csv;", "UCI Bank Marketing (Moro and others 2014)",
      "https://archive.ics.uci.edu/dataset/222/bank+marketing", cc_by, response = "y",
      levels = "no=no yes=yes", note = "x is a data frame with factors"),
  row("bank-full", "bank-full.csv.gz", "csv;", "UCI Bank Marketing (Moro and others 2014)",
      "https://archive.ics.uci.edu/dataset/222/bank+marketing", cc_by, response = "y",
      levels = "no=no yes=yes", note = "x is a data frame with factors"),
  row("covtype_sub92962_7", "covtype_sub92962.csv.gz", "csv",
      "UCI Covertype (Blackard 1998), scaled to [0, 1]",
      "https://archive.ics.uci.edu/dataset/31/covertype", cc_by, response = "Cover_Type",
      levels = paste0(1:7, "=", 1:7, collapse = " "), note = paste0(covtype, "; 7 cover types")),
  gene("colon", "colon_alon.csv.gz", "n=normal t=tumour", "Colon tissue (Alon and others 1999)",
       bundled = TRUE),
  gene("golub", "leukemia_golub72.csv.gz", "AML=AML ALL=ALL", "Leukemia (Golub and others 1999)"),
  gene("singh", "singh_prostate102.csv.gz", "Normal=normal Tumor=tumour",
       "Prostate tissue (Singh and others 2002)"),
  gene("shipp", "shipp_dlbcl77.csv.gz", "FL=follicular DLBCL=diffuse",
       "Lymphoma, diffuse large B-cell or follicular (Shipp and others 2002)"),
  gene("west", "duke_west49.csv.gz", "negative=negative positive=positive",
       "Breast cancer, oestrogen receptor (West and others 2001)"),
  gene("gravier", "gravier168.csv.gz", "good=good poor=poor",
       "Breast cancer, five-year outcome (Gravier and others 2010)"),
  gene("nki272", "nki272_cleaned.csv.gz", "0=alive 1=dead", response = "eventdeath",
       "Breast cancer NKI (van de Vijver and others 2002)", licence = no_licence,
       address = "https://doi.org/10.1056/NEJMoa021967",
       drop = paste("Patient ID age survival timerecurrence chemo hormonal amputation histtype",
                    "diam posnodes grade angioinv lymphinfil barcode"),
       note = "272 of 295 patients and 1,554 genes; the clinical columns are left out"),
  gene("vantveer96", "vantveer96.csv.gz", "0=no 1=yes", response = "metastases",
       "Breast cancer, metastases (van 't Veer and others 2002)",
       licence = "none stated by the authors; copy in R package GlobalAncova (GPL >= 2)",
       address = "https://doi.org/10.1038/415530a", drop = "Sample grade ERstatus",
       note = "96 patients and the 1,113 genes of nine pathways"),
  gene("p53", "p53_50x4301.csv.gz", "0=wild 1=mutant", response = "mutation",
       "NCI-60 cell lines by p53 (Subramanian and others 2005)",
       licence = "none stated by the authors; copy in R package grpregOverlap (GPL-3)",
       address = "https://doi.org/10.1073/pnas.0506580102")
)

found <- match(sets$file, manifest$file)
stopifnot(!anyNA(found), anyDuplicated(sets$name) == 0L)
sets$rows <- manifest$n[found]
sets$columns <- manifest$d[found]
sets$sha256 <- manifest$sha256[found]
sets$sha256_unpacked <- vapply(file.path(folder, sets$file), function(path) {
  stopifnot(unname(as.character(openssl::sha256(file(path, raw = TRUE)))) ==
              manifest$sha256[manifest$file == basename(path)])
  as.character(openssl::sha256(gzfile(path)))
}, "")
order <- c("name", "file", "format", "bundled", "rows", "columns", "response", "levels", "drop",
           "header", "source", "address", "licence", "note", "sha256", "sha256_unpacked")
utils::write.csv(sets[order], "inst/extdata/data_sets.csv", row.names = FALSE)
