# Called by scripts/site.sh: the tree, the folder of the site, the folder of npm's packages.

given <- commandArgs(trailingOnly = TRUE)
tree <- given[1L]
site <- given[2L]
npm <- given[3L]
searched <- dir.exists(npm)
# From 2.1 on pkgdown fetches scripts as it builds, before that its pages do as they are read.
fetches <- utils::packageVersion("pkgdown") >= "2.1"
# No page is asked for on the network.
options(pkgdown.internet = FALSE)
unlink(site, recursive = TRUE)

# Formulas of articles as MathML, which needs no script. From 2.1 on another function makes the format
# of an article, in a list, and its template is there as long as the caller `env`.
with_mathml <- function(format) {
  format$pandoc$args <- c(format$pandoc$args, "--mathml")
  format
}
maker <- if (fetches) "rmarkdown_setup_pkgdown" else "build_rmarkdown_format"
format_of_pages <- utils::getFromNamespace(maker, "pkgdown")
utils::assignInNamespace(maker, if (fetches) function(..., env = parent.frame()) {
  made <- format_of_pages(..., env = env)
  made$format <- with_mathml(made$format)
  made
} else function(...) with_mathml(format_of_pages(...)), "pkgdown")
# Names of packages in code are no links to where a network would find them.
utils::assignInNamespace("CRAN_urls", function() {
  data.frame(Package = character(), URL = character())
}, "downlit")
# From 2.2 on the home page and the news ask for the package at CRAN and elsewhere, whatever the option
# above says.
for (asking in intersect(c("cran_link", "pkg_timeline"), ls(asNamespace("pkgdown")))) {
  utils::assignInNamespace(asking, function(...) NULL, "pkgdown")
}

# ---- What pkgdown or its pages fetch ----

beside <- c(
  "fuse.js" = "fuse.js/dist/fuse.js", "fuse.min.js" = "fuse.js/dist/fuse.min.js",
  "autocomplete.jquery.min.js" = "autocomplete.js/dist/autocomplete.jquery.min.js",
  "mark.min.js" = "mark.js/dist/mark.min.js",
  "headroom.min.js" = "headroom.js/dist/headroom.min.js",
  "jQuery.headroom.min.js" = "headroom.js/dist/jQuery.headroom.min.js",
  "clipboard.min.js" = "clipboard/dist/clipboard.min.js",
  "all.min.css" = "fontawesome-free/css/all.min.css",
  "v4-shims.min.css" = "fontawesome-free/css/v4-shims.min.css",
  "TeX-AMS-MML_HTMLorMML.js" = "mathjax/es5/tex-mml-chtml.js"
)
# The list of the headings of a page: not to be had from npm.
headings <- c(
  "window.Toc = {init: function (asked) {",
  "  var list = document.createElement('ul');",
  "  list.className = 'nav navbar-nav';",
  "  asked.$scope.each(function () {",
  "    if (!/^H[23]$/.test(this.tagName)) return;",
  "    var id = this.id || (this.closest('.section') || {}).id;",
  "    if (!id) return;",
  "    var link = document.createElement('a'), item = document.createElement('li');",
  "    link.className = 'nav-link';",
  "    link.href = '#' + id;",
  "    link.textContent = this.textContent.trim();",
  "    item.appendChild(link);",
  "    list.appendChild(item);",
  "  });",
  "  if (asked.$nav.length) asked.$nav[0].appendChild(list);",
  "}};"
)
# A dependency of pkgdown 2.1: what it finds in its cache it does not fetch. NULL where we lack a file
# of it; formulas are MathML.
if (fetches) {
  cache <- tempfile("cache")
  Sys.setenv(R_USER_CACHE_DIR = cache)
  from_cache <- pkgdown:::cached_dependency
  utils::assignInNamespace("cached_dependency", function(name, version, files) {
    to <- file.path(tools::R_user_dir("pkgdown", "cache"), name, version)
    dir.create(to, recursive = TRUE, showWarnings = FALSE)
    for (file in basename(vapply(files, `[[`, "", "url"))) {
      if (file == "bootstrap-toc.min.js") writeLines(headings, file.path(to, file))
      else if (!searched || !file %in% names(beside) ||
                 !file.copy(file.path(npm, beside[[file]]), file.path(to, file))) return(NULL)
    }
    from_cache(name, version, files)
  }, "pkgdown")
}

# ---- The pages ----

# pages of the sources that README and CONTRIBUTING point at
file.copy(file.path(tree, "tests", "README.md"), file.path(tree, "TESTS.md"))
file.copy(file.path(tree, "cran-comments.md"), file.path(tree, "COMMENTS.md"))
moved <- c("tests/README.html" = "TESTS.html", "cran-comments.html" = "COMMENTS.html",
           "NEWS.html" = "news/index.html",
           "vignettes/adding-a-solver.Rmd" = "articles/adding-a-solver.html")
without_search <- list(structure = list(left = c("intro", "reference", "articles", "news"),
                                        right = "github"))
package <- pkgdown::as_pkgdown(tree, override = c(
  list(destination = site), if (!searched) list(navbar = without_search)
))
pkgdown::init_site(package)
pkgdown::build_home(package, preview = FALSE)
pkgdown::build_reference(package, lazy = FALSE, examples = TRUE, devel = FALSE, preview = FALSE)
pkgdown::build_articles(package, lazy = FALSE, preview = FALSE)
pkgdown::build_news(package, preview = FALSE)
pkgdown::build_search(package)
pages <- list.files(site, "[.]html$", recursive = TRUE, full.names = TRUE)

# ---- What the pages of older versions fetch, beside them ----

own <- file.path(site, "beside")
dir.create(own)
if (searched && !fetches) {
  for (folder in unique(dirname(beside))) {
    whole <- grepl("css$|es5$", folder)
    to <- file.path(own, folder)
    dir.create(to, recursive = TRUE)
    from <- if (whole) list.files(file.path(npm, folder), full.names = TRUE) else
      file.path(npm, beside[dirname(beside) == folder])
    file.copy(from, to, recursive = TRUE)
  }
  file.copy(file.path(npm, "fontawesome-free", "webfonts"), file.path(own, "fontawesome-free"),
            recursive = TRUE)
}
writeLines(headings, file.path(own, "bootstrap-toc.min.js"))
# As a script the index of the search is read from a folder, too, where pages may fetch nothing; a
# page without text has an entry without a path.
if (searched) {
  index <- paste(readLines(file.path(site, "search.json"), encoding = "UTF-8"), collapse = "\n")
  index <- sprintf("window.searchIndex = %s.filter((x) => typeof x.path === 'string');", index)
  writeLines(index, file.path(own, "search-index.js"), useBytes = TRUE)
  script <- file.path(site, "pkgdown.js")
  lines <- readLines(script, encoding = "UTF-8")
  fetched <- grep("await fetch\\(", lines)
  stopifnot(length(fetched) == 1L, grepl("response.json()", lines[fetched + 1L], fixed = TRUE))
  lines[fetched] <- "    var to = $('#search-input').data('search-index');"
  lines[fetched + 1L] <- paste0(
    "    var at = new URL(to, window.location.href), data = window.searchIndex.map((x) => ({...x, ",
    "path: new URL(x.path.replace(/^\\//, \"\"), at).href}));"
  )
  writeLines(lines, script, useBytes = TRUE)
}

up_to_site <- function(page) {
  depth <- lengths(strsplit(substring(page, nchar(site) + 2L), "/")) - 1L
  strrep("../", depth)
}
checked <- "( integrity=\"[^\"]*\")?( crossorigin=\"[^\"]*\")?"
titled <- function(page) sub("[.]html$", "", basename(page))
for (page in pages) {
  text <- paste(readLines(page, encoding = "UTF-8", warn = FALSE), collapse = "\n")
  up <- up_to_site(page)
  for (file in if (searched) names(beside)) {
    pattern <- sprintf("(src|href)=\"https?://[^\"]*/%s\"%s", gsub(".", "[.]", file, fixed = TRUE),
                       checked)
    text <- gsub(pattern, sprintf("\\1=\"%sbeside/%s\"", up, beside[[file]]), text)
  }
  text <- gsub(paste0("src=\"https?://[^\"]*/bootstrap-toc[.]min[.]js\"", checked),
               sprintf("src=\"%sbeside/bootstrap-toc.min.js\"", up), text)
  text <- gsub("<script src=\"(file|https?)://[^\"]*\"[^>]*></script>", "", text)
  if (!searched) text <- gsub("<link [^>]*href=\"https?://[^>]*>", "", text)
  if (searched) text <- sub("<script src=\"([^\"]*)pkgdown[.]js\"></script>", sprintf(
    "<script src=\"%sbeside/search-index.js\"></script><script src=\"\\1pkgdown.js\"></script>", up
  ), text)
  for (target in names(moved)) {
    here <- sprintf("href=\"%s%s\"", up, moved[[target]])
    text <- gsub(sprintf("href=\"%s\"", target), here, text, fixed = TRUE)
  }
  text <- gsub("<img src=\"\"[^>]*>", "", text)  # a logo that is not there
  # formulas and tables wider than a telephone
  text <- sub("</head>", paste0("<style>math[display=block] {overflow-x: auto;} @media (max-width: 767px) ",
                                "{table.table {display: block; overflow-x: auto;}}</style></head>"), text)
  # the words of a picture that stands alone are its caption as well
  text <- gsub("alt=\"\"( ?/?><p class=\"caption\">)([^<]*)", "alt=\"\\2\"\\1\\2", text)
  # pictures that examples draw; those of articles have words of their own
  if (basename(dirname(page)) == "reference") {
    text <- gsub("alt=\"\"", sprintf("alt=\"Plot of the example of %s\"", titled(page)), text)
  }
  writeLines(text, page, useBytes = TRUE)
}

# ---- Is all of it there? ----

targets_of <- function(text) {
  found <- regmatches(text, gregexpr("(?:href|src)=\"[^\"]+\"", text, perl = TRUE))[[1L]]
  sub("\"$", "", sub("^(href|src)=\"", "", found))
}
anchors_of <- function(text) {
  found <- regmatches(text, gregexpr("\\b(?:id|name)=\"[^\"]+\"", text, perl = TRUE))[[1L]]
  sub("\"$", "", sub("^(id|name)=\"", "", found))
}
texts <- lapply(stats::setNames(nm = normalizePath(pages)), function(page) {
  paste(readLines(page, encoding = "UTF-8", warn = FALSE), collapse = "\n")
})
anchors <- lapply(texts, anchors_of)
wrong <- character()
for (page in names(texts)) {
  targets <- unique(targets_of(texts[[page]]))
  outside <- grepl("^([a-z]+:|//)", targets)
  lines <- strsplit(texts[[page]], "\n")[[1L]]
  fetched <- grep("<(script|link|img)[^>]+(src|href)=\"https?://", lines, value = TRUE)
  if (grepl("(src|href)=\"\"", texts[[page]])) wrong <- c(wrong, paste(page, "has an empty link"))
  if (length(fetched) > 0L) wrong <- c(wrong, paste(page, "fetches", trimws(fetched)))
  for (target in targets[!outside]) {
    path <- utils::URLdecode(sub("[#?].*", "", target))
    file <- if (nzchar(path)) file.path(dirname(page), path) else page
    if (dir.exists(file)) file <- file.path(file, "index.html")
    if (!file.exists(file)) {
      wrong <- c(wrong, paste(page, "->", target))
      next
    }
    anchor <- utils::URLdecode(sub("^[^#]*#?", "", target))
    known <- anchors[[normalizePath(file)]]
    if (nzchar(anchor) && !is.null(known) && !anchor %in% known) {
      wrong <- c(wrong, paste(page, "->", target))
    }
  }
  pictures <- regmatches(texts[[page]], gregexpr("<img [^>]*>", texts[[page]]))[[1L]]
  if (any(!grepl("alt=\"[^\"]+\"", pictures))) {
    wrong <- c(wrong, paste(page, "has a picture without words"))
  }
}
wrong <- sub(paste0(site, "/"), "", wrong, fixed = TRUE)
if (length(wrong) > 0L) cat(paste(" ", wrong), sep = "\n")
cat(sprintf("site: %d pages, %d faults, in %s\n", length(pages), length(wrong), basename(site)))
quit(status = as.integer(length(wrong) > 0L))
