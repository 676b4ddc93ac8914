"""Lines that keep a guarantee, each broken once: `python -m tests.jobs.mutants` shows the test that turns red.

Every change is made in a copy of the tree; DATABASE_URL names a server on which a test database may be made.
Words after the command choose the mutants whose guarantee has one of them.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
COPIED = ("coach", "deploy", "jobs", "templates", "tests", "manage.py", "pyproject.toml")


@dataclass(frozen=True, slots=True)
class Mutant:
    guarantee: str
    file: str  # below jobs/
    line: str  # stands there once
    instead: str
    test: str  # file::function, below tests/


MUTANTS = [
    # What DESIGN.md marks as tried and failed
    Mutant(
        "a key is never null",
        "migrations/0001_initial.py",
        '("lane", models.CharField(blank=True, max_length=128)),',
        '("lane", models.CharField(blank=True, max_length=128, null=True)),',
        "jobs/test_schema.py::test_a_text_key_is_never_null",
    ),
    Mutant(
        "no more than the capacity after a shrink",
        "migrations/0005_claim.py",
        "AND (SELECT count(*) FROM jobs_seat s WHERE s.pool = p.name) <= jobs_capacity(p.capacity, p.reserve)",
        "",
        "jobs/test_claim.py::test_seats_above_a_shrunken_capacity_are_not_claimed",
    ),
    Mutant(
        "a claim is flat beside a kind that nobody serves",
        "migrations/0005_claim.py",
        "WHERE j.status = 'ready' AND j.pool = open_pool.name AND j.kind = served.kind\n",
        "WHERE j.status || '' = 'ready' AND j.pool = open_pool.name AND j.kind = served.kind\n",
        "jobs/test_claim_cost.py::test_a_claim_of_nothing_beside_a_crowd_touches_few_pages",
    ),
    Mutant(
        "the condition of an index is repeated literally",
        "transitions/turns.py",
        "q.status IN ('scheduled', 'waiting', 'ready')",
        "q.status NOT IN ('running') AND q.ended_at IS NULL",
        "jobs/test_claim_cost.py::test_whatever_puts_a_job_in_line_beside_a_crowd_reads_few",
    ),
    Mutant(
        "the virtual clock never falls",
        "transitions/sweep.py",
        "WHERE first.name = p.name AND first.vturn > p.clock",
        "WHERE first.name = p.name AND first.vturn IS NOT NULL",
        "jobs/test_sweep.py::test_the_clock_of_a_pool_is_the_turn_of_its_first_ready_job_and_never_falls",
    ),
    Mutant(
        "a turn counts from the virtual clock",
        "transitions/enqueue.py",
        "least(clock_timestamp(), jobs_clock(%(pool)s))",
        "clock_timestamp()",
        "jobs/test_fairness.py::test_after_hours_of_work_slower_than_its_spacing_newcomers_start_among_the_first",
    ),
    Mutant(
        "a priority does not compound",
        "transitions/enqueue.py",
        "           vturn, CASE WHEN %(run_at)s",
        "           vturn + make_interval(secs => %(priority)s * %(ageing)s), CASE WHEN %(run_at)s",
        "jobs/test_enqueue.py::",
    ),
    Mutant(
        "an enqueue waits for nobody",
        "transitions/enqueue.py",
        "WHERE got AND NOT EXISTS",
        "WHERE NOT EXISTS",
        "jobs/test_enqueue_races.py::test_a_wish_beside_an_open_transaction_that_enqueues_it_does_not_wait",
    ),
    Mutant(
        "a slow transaction holds up nobody",
        "transitions/enqueue.py",
        'transaction.on_commit(lambda: watches.quietly(lambda: watches.watch(newest["id"], wish.watch)))',
        'watches.quietly(lambda: watches.watch(newest["id"], wish.watch))',
        "jobs/test_enqueue_races.py::test_a_slow_transaction_that_polls_an_active_job_does_not_hold_up_its_end",
    ),
    Mutant(
        "one probe",
        "transitions/claim.py",
        "if not sql.rows(LOCK_RECOVERING, pool=pool) or not sql.rows(ADMITS, pool=pool):",
        "if not sql.rows(ADMITS, pool=pool):",
        "jobs/test_recovering.py::test_of_many_claimers_one_sends_the_probe",
    ),
    Mutant(
        "the best of each kind and pool",
        "migrations/0005_claim.py",
        ") j ORDER BY j.band, j.turn, j.id LIMIT 1;\nEND",
        ") j ORDER BY j.turn, j.id LIMIT 1;\nEND",
        "jobs/test_claim.py::test_the_best_of_each_kind_is_compared_by_its_band_too",
    ),
    Mutant(
        "a lane's jobs never overlap",
        "migrations/0002_place_and_storage.py",
        "        IF NOT FOUND THEN\n            RETURN;  -- claimed meanwhile\n        END IF;\n",
        "",
        "jobs/test_lanes.py::test_a_head_that_is_claimed_at_the_moment_it_has_to_step_back_stays_the_only_one",
    ),
    Mutant(
        "a closed pool stalls no lane",
        "migrations/0002_place_and_storage.py",
        "ORDER BY c.band, c.preference, c.turn, c.id LIMIT 1;",
        "ORDER BY c.band, c.turn, c.id LIMIT 1;",
        "jobs/test_lanes.py::test_a_head_behind_a_closed_pool_gives_way_to_a_job_without_one",
    ),
    Mutant(
        "a frozen client keeps no locks",
        "sql.py",
        'IDLE_IN_TRANSACTION = "15s"',
        'IDLE_IN_TRANSACTION = "0"',
        "jobs/test_bounds.py::test_a_short_transaction_has_its_bounds_and_the_session_keeps_none",
    ),
    Mutant(
        "a kill meant for one job costs no other",
        "worker/child.py",
        'if self.current == job["id"]:',
        "if True:",
        "jobs/test_claim_after.py::test_a_death_that_meets_the_next_job_is_not_charged_to_it",
    ),
    Mutant(
        "who lost a job writes nothing",
        "worker/run.py",
        "WHERE id = %(id)s AND token = %(token)s AND status = 'running' FOR NO KEY UPDATE",
        "WHERE id = %(id)s FOR NO KEY UPDATE",
        "jobs/test_run.py::test_who_has_lost_the_job_saves_nothing",
    ),
    # Routes
    Mutant(
        "a route is fair to those who move",
        "transitions/turns.py",
        "%(route)s::text[] || {pool}::text",
        "ARRAY[{pool}::text]",
        "jobs/test_route_turns.py::test_a_flood_that_was_moved_still_delays_nobody_else",
    ),
    Mutant(
        "a route is fair to those who stay",
        "transitions/turns.py",
        "(line.pool = {pool} OR q.kind = {kind})",
        "({pool} = {pool} OR q.kind = {kind})",
        "jobs/test_route_turns.py::test_what_an_owner_has_in_line_for_something_else_at_the_spare_does_not_delay",
    ),
    Mutant(
        "a route is fair to newcomers",
        "transitions/routes.py",
        "            sql.run(CLOCK, kind=kind, pool=source, route=route)",
        "            pass",
        "jobs/test_route_turns.py::test_the_clock_of_a_pool_goes_on_with_its_jobs",
    ),
    Mutant(
        "a route ends where somebody serves",
        "transitions/routes.py",
        "w WHERE %(kind)s = ANY(w.kinds)) AS run",
        "w WHERE %(kind)s <> '') AS run",
        "jobs/test_routes.py::test_a_spare_whose_workers_do_not_know_the_kind_gets_none",
    ),
    Mutant(
        "a route leads back to who serves",
        "transitions/routes.py",
        'earlier = next((name for name in route[:place] if known[name]["fit"]), "")',
        'earlier = next((name for name in route[:place] if not known[name]["away"]), "")',
        "jobs/test_routes.py::test_nobody_comes_back_to_a_first_that_nobody_serves",
    ),
    Mutant(
        "a route tries by who is served",
        "transitions/routes.py",
        'AND kind IN (SELECT unnest(w.kinds) FROM ({SERVING.format(pool="%(pool)s")}) w) LIMIT 1000',
        "LIMIT 1000",
        "jobs/test_route_tries.py::test_a_job_that_nobody_runs_is_not_the_one_that_tries",
    ),
    Mutant(
        "a route tries its spare too",
        "transitions/routes.py",
        "[*later, *_given_up(route[:place], known)]",
        "later",
        "jobs/test_route_tries.py::test_a_spare_that_was_down_when_its_jobs_left_is_tried_by_one",
    ),
    Mutant(
        "a route waits a short outage out",
        "transitions/routes.py",
        'return [name for name in earlier if known[name]["away"]]',
        "return list(earlier)",
        "jobs/test_route_tries.py::test_a_spare_that_is_down_is_not_tried_while_the_first_is_open_or_may_soon_be",
    ),
    Mutant(
        "a route takes no try from another",
        "transitions/routes.py",
        "most = min(tries - ready, there - kept)",
        "most = tries - ready",
        "jobs/test_route_tries.py::test_of_one_job_and_two_pools_that_are_due_the_first_is_tried",
    ),
    # The fork server, `--drain`, the counts
    Mutant(
        "a fork server that is killed costs no worker",
        "worker/supervisor.py",
        "except (EOFError, OSError) as error:",
        "except ZeroDivisionError as error:",
        "chaos/test_fork_server.py::test_a_fork_server_killed_while_a_slot_starts_costs_nothing",
    ),
    Mutant(
        "every fork server is deaf to the group",
        "worker/preload.py",
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)",
        "",
        "chaos/test_fork_server.py::test_a_new_fork_server_is_as_deaf_to_the_group_as_the_first",
    ),
    Mutant(
        "a stuck supervisor keeps no lease",
        "worker/beat.py",
        "if sent_s - self.turned_s > STUCK_S:",
        "if False:",
        "jobs/test_beat.py::test_a_supervisor_that_is_stuck_lets_its_lease_run_out",
    ),
    Mutant(
        "drain leaves nothing behind",
        "worker/supervisor.py",
        "self.started -= self.options.until_empty",
        "pass",
        "jobs/test_worker.py::test_drain_empties_the_queue_also_when_slots_wear_out_die_or_are_ended",
    ),
    Mutant(
        "what was counted stays counted",
        "transitions/tally.py",
        "WHERE jobs_tally.number < excluded.number",
        "WHERE jobs_tally.number <> excluded.number",
        "jobs/admin/test_overview.py::test_what_ended_stays_counted_when_its_owner_is_forgotten",
    ),
    Mutant(
        "what was not yet counted is, before it is forgotten",
        "transitions/forget.py",
        "    tally.count()\n",
        "",
        "jobs/admin/test_overview.py::test_what_ended_stays_counted_when_its_owner_is_forgotten",
    ),
    Mutant(
        "an attempt says what became of its items",
        "transitions/outcomes.py",
        'if how.outcome == "succeeded" and change.status in BY_ITEMS:',
        "if False:",
        "jobs/admin/test_overview.py::test_a_job_of_items_counts_as_what_became_of_them",
    ),
    # Last, for what it leaves behind has a session open for a while
    Mutant(
        "slots die with their supervisor",
        "worker/lease.py",
        "        libc.prctl(PR_SET_PDEATHSIG, int(number), 0, 0, 0)\n",
        "        libc.prctl\n",
        "jobs/test_worker.py::test_a_slot_that_hears_nothing_dies_with_its_supervisor_too",
    ),
]


def turns_red(mutant: Mutant, folder: Path) -> bool:
    """Break the line in the copy, run its test, and mend it."""
    file = folder / "jobs" / mutant.file
    whole = file.read_text()
    file.write_text(whole.replace(mutant.line, mutant.instead))
    path, _, name = mutant.test.partition("::")
    words = ["-q", "-x", "--create-db", f"tests/{path}", "-k", name or "test"]
    env = {**os.environ, "PYTHONPATH": str(folder)}
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", *words], cwd=folder, env=env, capture_output=True, text=True, check=False
    )
    file.write_text(whole)
    return "\nFAILED" in ran.stdout


def main(*words: str) -> int:
    chosen = [each for each in MUTANTS if not words or any(word in each.guarantee for word in words)]
    unseen = 0
    with tempfile.TemporaryDirectory() as copy:
        for name in COPIED:
            source, target = ROOT / name, Path(copy) / name
            shutil.copytree(source, target) if source.is_dir() else shutil.copy(source, target)
        for mutant in chosen:
            red = turns_red(mutant, Path(copy))
            unseen += not red
            print("red" if red else "NOT SEEN", "|", mutant.guarantee, "|", mutant.test, flush=True)
    return unseen


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
