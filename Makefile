# SPDX-License-Identifier: Apache-2.0
# The short way to everything; `make help` lists it. cmake and ctest do the work.
SHELL := /bin/bash
.DEFAULT_GOAL := help

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local

# Equal compiler cache entries for equal sources, wherever the clone stands.
export CCACHE_BASEDIR := $(CURDIR)
export CCACHE_NOHASHDIR := 1

.PHONY: help build demo test check install format clean

help: ## List these targets
	@awk -F':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## Install what building needs, then build the release into build/release
	scripts/install-deps.sh build
	cmake --preset release
	cmake --build build/release -- -j$(JOBS)

demo: ## Build, then optimise the bundled serving program for a few minutes, with no model and no key
	scripts/demo.sh

test: ## Install what the tests need, build with sanitizers and run every test
	scripts/install-deps.sh test
	cmake --preset asan-ubsan
	cmake --build build/asan-ubsan -- -j$(JOBS)
	ctest --test-dir build/asan-ubsan --output-on-failure --no-tests=error -j2

check: ## Format, build, tests and clang-tidy: what a change must pass
	./check

install: build ## Install the release under PREFIX (/usr/local)
	cmake --install build/release --prefix $(PREFIX)

format: ## Rewrite every source file in the house's format
	git ls-files -z --cached --others --exclude-standard '*.cc' '*.h' | xargs -0 -r clang-format-19 -i

clean: ## Remove everything that was built
	rm -rf build
