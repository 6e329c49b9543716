# What the scripts of this folder share. Sourced, never run.

# step NAME COMMAND... runs the command and prints how long it took. Its output
# is shown only when it fails.
step() {
	local name=$1 began=$SECONDS log
	shift
	log=$(mktemp)
	# A subshell of its own, so that errexit holds inside the command.
	set +e
	(set -e; "$@") >"$log" 2>&1
	local status=$?
	set -e
	if [ "$status" -ne 0 ]; then
		cat "$log"
		rm -f "$log"
		printf 'FAIL  %-22s %4ds\n' "$name" $((SECONDS - began))
		exit "$status"
	fi
	printf 'ok    %-22s %4ds\n' "$name" $((SECONDS - began))
	rm -f "$log"
}

# loud prints a line that cannot be overlooked.
loud() { printf '\n!!!!!!!! %s !!!!!!!!\n\n' "$*" >&2; }

# registries_answer tells whether Python packages can be had.
registries_answer() {
	command -v python3 >/dev/null &&
		timeout 30 python3 -m pip download --quiet --disable-pip-version-check --retries 0 \
			--no-deps --only-binary :all: --dest "$(mktemp -d)" packaging >/dev/null 2>&1
}
