# Thin on purpose: the work is done by the tools that targets call. `make help` lists them.

SHELL := /bin/bash
.DEFAULT_GOAL := help

# Shared by clones: dependencies are built once per machine.
export CARGO_TARGET_DIR ?= $(HOME)/.cache/morpion/target
$(shell CARGO_TARGET_DIR="$(CARGO_TARGET_DIR)" scripts/own-target)

# What the browser tests run with.
BROWSER = MORPION_BIN="$(CARGO_TARGET_DIR)/debug/morpion" \
	CHROMIUM="$$(command -v chromium-headless-shell || command -v chromium)"

WEB_SOURCES := $(shell find webapp/src webapp/public webapp/scripts -type f 2>/dev/null) \
	$(wildcard webapp/*.json webapp/*.ts webapp/*.js webapp/index.html)
MODULES := webapp/node_modules/.package-lock.json
# This machine, as Debian calls it.
HERE := $(shell dpkg --print-architecture 2> /dev/null)

.PHONY: help run dev demo stripe mock test check advisories attack bench bucket dist distcheck kills e2e evening fuzz properties proxies screenshots lighthouse web openapi fmt lint prove clean

help: ## show this help
	@awk -F ':.*## ' '/^##@ / { printf "\n%s\n", substr($$0, 5) } /^[a-z0-9]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

##@ Running

run: web ## build everything and serve http://127.0.0.1:8080 (ARGS="--listen …")
	cargo run --locked --bin morpion -- serve $(ARGS)

demo: web ## serve a demo with accounts, events in every state and simulated players; nothing is kept
	cargo run --locked --bin morpion -- serve --demo $(ARGS)

dev: $(MODULES) ## server, and the web app with hot reload at http://127.0.0.1:5173
	scripts/dev $(ARGS)

mock: $(MODULES) ## the web app against a mock API at http://127.0.0.1:5173
	cd webapp && npm run mock

stripe: web ## serve with payments handled by a stand-in for Stripe; nothing is kept
	scripts/stripe $(ARGS)

##@ Testing

test: ## run every check and test
	scripts/test

check: $(MODULES) ## check what changed since main: format, lint, types, unit tests
	scripts/test check

lint: $(MODULES) ## run formatting checks, clippy, type checks, web lint
	scripts/test lint

fmt: $(MODULES) ## format everything
	cargo fmt --all
	cd webapp && npm run format

e2e: web ## run only the browser tests
	scripts/test e2e

evening: web ## run a tournament evening with eight browsers, two on bad networks, and a killed server (MINUTES=3), one of each format in stage rounds, and games on bad networks; pictures in webapp/evening
	scripts/cargo build --locked --bins
	rm -rf webapp/evening
	cd webapp && $(BROWSER) MORPION_EVENING_MINUTES=$(or $(MINUTES),3) MORPION_EVENING_PICTURES=evening npx playwright test evening badNetwork --workers=1 --retries=0; \
		result=$$?; echo "$$(ls evening 2> /dev/null | wc -l) pictures are in webapp/evening"; exit $$result

fuzz: $(MODULES) ## fuzz everything that reads what others wrote, each target for SECONDS=600
	MORPION_FUZZ_SECONDS=$(or $(SECONDS),600) scripts/cargo test --locked --workspace --test fuzz -- --nocapture
	cd webapp && MORPION_FUZZ_SECONDS=$(or $(SECONDS),600) npx vitest run frames.fuzz

attack: web ## attack a real server of the release profile, inside a cgroup with the unit's memory (as root), while 200 honest games go on, each attack for SECONDS=10 (ARGS="NAME…" for some)
	TMPDIR=$${TMPDIR:-$$(test -d /dev/shm && echo /dev/shm)} MORPION_ATTACK_SECONDS=$(or $(SECONDS),10) cargo bench --locked --workspace --bench attack -- $(ARGS)
	TMPDIR=$${TMPDIR:-$$(test -d /dev/shm && echo /dev/shm)} MORPION_ATTACK_SECONDS=$(or $(SECONDS),10) MORPION_ATTACK_TLS=1 cargo bench --locked --workspace --bench attack -- $(or $(ARGS),TLS 'connections of' 'nobody reads' 'heads that' 'bodies that' 'ten attacks')

properties: ## generate calls for every operation and action of the contract in five roles, and check each answer (CASES=100)
	scripts/properties/run $(or $(CASES),100)

proxies: ## run the documented nginx and Caddy in front of a server, and get a certificate from Pebble (apt-get install nginx caddy pebble)
	scripts/proxies/run $(ARGS)
	scripts/acme/run

bucket: ## make backups to a server that speaks S3, lose it, and restore from it
	scripts/bucket/run

kills: ## kill a server that makes backups and is played on, KILLS=200 times, and restore each time
	MORPION_KILLS=$(or $(KILLS),200) scripts/cargo test --locked --workspace --test play -- every_move_but_those_of_the_last_seconds every_acknowledged_move_survives

prove: evening fuzz properties bucket kills proxies ## run the long proofs: fuzzers, generated calls, backups, proxies, attacks, solved boards, an evening, 100,000 schedules of a cluster, an event of 1,000 with two crashes, bots that play 100 games and 20 against the solver, a school of 500 behind one address, 50 sign-outs, 1,000 payments, 5,000 Swiss tournaments, the packages, which upgrade those of the commit before (BEFORE=COMMIT) (three hours)
	$(MAKE) attack SECONDS=10
	scripts/swiss/run 5000
	scripts/contract/check 100 20
	cd webapp && $(BROWSER) MORPION_SIGN_OUTS=50 npx playwright test signOut --workers=1 --retries=0
	cd webapp && npm run prove
	MORPION_CLUSTER_SCHEDULES=100000 scripts/cargo test --locked --workspace --lib no_schedule_breaks_a_promise -- --nocapture
	MORPION_CLUSTER_RUNS=500 scripts/cargo test --locked --workspace --test cluster runs_with_faults -- --nocapture
	MORPION_SCHOOL=500 scripts/cargo test --locked --workspace --test events a_school -- --nocapture
	MORPION_SIMULATED_PLAYERS=1000 scripts/cargo test --locked --workspace --test events simulat -- --nocapture
	MORPION_BILLING_RUNS=1000 scripts/cargo test --locked --workspace --test billing simulation -- --nocapture
	$(MAKE) dist
	scripts/dist/build-at $(or $(BEFORE),HEAD~1) dist/before
	$(MAKE) distcheck OLDER='dist/before/morpion_*_$(HERE).deb'

advisories: $(MODULES) ## replace the snapshots of known vulnerabilities in dependencies by today's
	scripts/dependencies/check refresh
	node scripts/dependencies/npm.mjs refresh

##@ Building and contract

web: webapp/dist/index.html ## build the web app

dist: $(MODULES) ## build packages in the release profile into dist/: .deb, tarball, OCI image, SBOMs, checksums (ARCH=arm64)
	ARCH="$(ARCH)" scripts/dist/build

distcheck: $(MODULES) ## install, upgrade (from OLDER=FILE.deb) and purge what is in dist/ in a clean Debian, run the image, play in a browser; needs root (ARCH=arm64: run it in an emulator)
ifeq ($(or $(ARCH),$(HERE)),$(HERE))
	scripts/dist/test dist/morpion_*_$(HERE).deb $(OLDER)
	scripts/dist/test-image dist/morpion_*_$(HERE).oci.tar
	scripts/dist/test-tarball dist/morpion_*_linux_$(HERE).tar.gz
	scripts/dist/first-game dist/morpion_*_$(HERE).deb
	scripts/dist/test-deploy
	scripts/dist/test-sign
else
	scripts/dist/test-foreign $(ARCH) dist
endif

openapi: $(MODULES) ## regenerate openapi.json and the typed client
	scripts/openapi

clean: ## remove build output; the dependency cache is kept
	rm -rf dist webapp/dist webapp/test-results webapp/playwright-report webapp/coverage webapp/evening

##@ Measurements and screenshots

bench: ## measure the cost of play in the release profile (ARGS="games peers commit idle start crash logs flood backup sizing spectators visitors cluster sustained soak cores matchmaker console")
	scripts/bench $(ARGS)

lighthouse: web ## run Lighthouse on the entry pages of a release build; needs an idle machine
	cargo build --locked --release --bin morpion
	cd webapp && MORPION_BIN="$(CARGO_TARGET_DIR)/release/morpion" npm run --silent lighthouse

screenshots: web ## capture every route at 390 and 1280 px, light and dark, into webapp/screenshots
	scripts/cargo build --locked --bins
	cd webapp && MORPION_BIN="$(CARGO_TARGET_DIR)/debug/morpion" npm run --silent screenshots

# Files.

$(MODULES): webapp/package-lock.json
	cd webapp && npm ci --no-audit --no-fund
	@touch $@

webapp/dist/index.html: $(MODULES) $(WEB_SOURCES)
	cd webapp && npm run build
