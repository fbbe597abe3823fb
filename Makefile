# Nothing here writes outside of the ignored folders bin/ and .tools/, except
# `make gen`, which writes what is generated from the specs, and `make fmt`.

GO        ?= go
SPECS     ?= ./spec/harness ./spec/jobs
TESTFLAGS ?=

.PHONY: help build gen check demo test test-official race bench bench-gate fmt clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 16

build: ## bin/accord and bin/accord-dsh
	@$(GO) build -o bin/ ./cmd/accord ./cmd/accord-dsh

# The tag leaves out everything that imports generated code, so that generating
# works while the runtime does not compile.
gen: ## write what is generated from the specs
	@set -e; for spec in $(SPECS); do $(GO) run -tags generator ./cmd/accord gen $$spec; done

check: ## check the specs; nothing generated may be stale
	@set -e; for spec in $(SPECS); do $(GO) run -tags generator ./cmd/accord check $$spec; done

demo: ## live sessions over a real child process, in under a minute
	@echo 'building bin/accord: the first time this takes up to a minute'
	@$(GO) build -v -o bin/ ./cmd/accord
	@bin/accord demo

test: ## every test of the module, the official DSH clients against our runtime included
	@$(GO) test $(TESTFLAGS) ./...

test-official: ## our client against the official DSH runtime too, installed into .tools/ (95 MB)
	@ACCORD_OFFICIAL_RUNTIME=1 $(GO) test $(TESTFLAGS) -count=1 -timeout 20m ./cmd/accord-dsh/official/...

race: ## what runs goroutines, under the race detector
	@$(GO) test -race $(TESTFLAGS) ./runtime/... ./clients/... ./cmd/internal/...

bench: ## this kit and its peers, side by side
	@cd runtime/bench && $(GO) run .

# Needs a machine that does nothing else for some minutes.
bench-gate: ## fails if a speed, allocations or memory are worse than runtime/bench allows
	@cd runtime/bench && $(GO) run . -gate -rounds 7 -sides accord,lsp.dev

fmt: ## gofumpt, in place
	@$(GO) run mvdan.cc/gofumpt@v0.12.0 -w .

clean: ## remove bin/ and .tools/
	@rm -rf bin .tools
