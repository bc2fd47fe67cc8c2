#!/bin/sh
# Builds the site into docs-site/ by package pkgdown, with every example run, so that it needs no
# network to be read: the scripts and styles that pkgdown or its pages fetch from elsewhere come from
# npm, and the index of the search is a script of its own. Ends with 1 where a link within the site is
# dead or a picture has no description. Where npm or one of its packages cannot be had the site has no
# search, and says so; where pkgdown or pandoc is not installed: "not possible here".
. "$(dirname "$0")/common.sh"

lacks() {
  say "make site: not possible here ($1)."
  exit 0
}
have pandoc || lacks "pandoc is not installed"
sh scripts/setup.sh test
sh scripts/install.sh
rscript -e 'quit(status = !requireNamespace("pkgdown", quietly = TRUE))' ||
  lacks "package pkgdown is not installed; Debian: r-cran-pkgdown"

# Those that pkgdown asks for, by name and version.
mkdir -p "$TEMP/npm"
search=yes
for package in fuse.js@6.4.6 autocomplete.js@0.38.0 mark.js@8.11.1 headroom.js@0.11.0 clipboard@2.0.6 \
  mathjax@3.2.2 @fortawesome/fontawesome-free@5.12.1; do
  file=$(cd "$TEMP/npm" && npm pack --silent "$package" 2>/dev/null) || {
    search=no
    break
  }
  name=$(printf '%s' "$package" | sed 's/^@[^/]*\///; s/@.*//')
  mkdir "$TEMP/npm/$name"
  tar -xzf "$TEMP/npm/$file" -C "$TEMP/npm/$name" --strip-components=1
done
# A copy of the sources, in which nothing is left by the pages.
mkdir "$TEMP/tree"
git ls-files -z | xargs -0 tar -cf - | tar -xf - -C "$TEMP/tree"
[ $search = yes ] || rm -rf "$TEMP/npm"
rscript scripts/site.R "$TEMP/tree" "$ROOT/docs-site" "$TEMP/npm"
[ $search = yes ] || say "make site: built without search, since npm has no ${package%@*} here"
