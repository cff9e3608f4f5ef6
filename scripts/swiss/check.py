"""Compares the rounds of Swiss tournaments, read from stdin, with the pairings of caissify-pairings.

Pairs, colours and byes have to be the same. Histories (points, colours, floats) are computed here, from the reports
alone. Fails if more than 10 rounds of 45,000 differ, or the same share of fewer.
"""

import concurrent.futures
import dataclasses
import os
import sys

from caissify_pairings.engines.dutch import DutchEngine
from caissify_pairings.trf import TRFParser


class Engine(DutchEngine):
    """Higher ranked is who has more points, then the lower number (C.04.3 A.2). For colours the package looks at the
    numbers alone, unlike the endorsed bbpPairings; the parity of the higher one's number counts."""

    def _assign_colors(self, one, other):
        ranked = sorted((one, other), key=lambda player: (-player.score, player.pairing_number))
        numbers = (2 - ranked[0].pairing_number % 2, 3)
        copies = [dataclasses.replace(player, pairing_number=number) for player, number in zip(ranked, numbers)]
        white, _ = super()._assign_colors(*copies)
        return tuple(ranked) if white is copies[0] else tuple(reversed(ranked))


POINTS = {"1": 2, "+": 2, "U": 2, "F": 2, "=": 1, "H": 1}
PLAYED = {"1", "0", "="}


def before(players, last):
    """Points in halves of everybody after the given number of rounds."""
    return {
        number: sum(POINTS.get(results[round]["result"], 0) for round in range(1, last + 1) if round in results)
        for number, results in players.items()
    }


def floated(players, number, round):
    result = players[number].get(round)
    if result is None or result["result"] not in PLAYED:
        return "down" if result and POINTS.get(result["result"], 0) > 0 else "none"
    points = before(players, round - 1)
    own, other = points[number], points[result["opponent"]]
    return "down" if own > other else "up" if own < other else "none"


def is_paired(result):
    return result is not None and (result["opponent"] is not None or result["result"] == "U")


def history(players, ratings, number, pairing_number, round):
    results = [players[number].get(earlier) for earlier in range(1, round)]
    alone = [result["result"] for result in results if result and result["opponent"] is None]
    return {
        "id": number,
        "name": "",
        "score": before(players, round - 1)[number] / 2,
        "rating": ratings[number],
        "starting_number": number,
        "pairing_number": pairing_number,
        "title": "",
        "color_hist": [
            {"w": "white", "b": "black"}[result["color"]] for result in results if result and result["result"] in PLAYED
        ],
        "float_history": [floated(players, number, earlier) for earlier in range(1, round)],
        "bye_count": sum(result in ("U", "F") for result in alone),
        "forfeit_win_count": sum(bool(result) and result["result"] == "+" for result in results),
    }


def check(report):
    """The number of rounds, and a description of each that differs."""
    seed, text = report.split("\n", 1)
    parsed = TRFParser(text.rstrip() + "\n").parse()
    players = {player["starting_number"]: player["results"] for player in parsed["players"]}
    ratings = {player["starting_number"]: player["rating"] for player in parsed["players"]}
    first = parsed["tournament"]["color_method"].removesuffix("1")
    rounds = max(max(results, default=0) for results in players.values())
    differences = []
    for round in range(1, rounds + 1):
        ours = set()
        for number, results in players.items():
            result = results.get(round)
            if is_paired(result) and result["color"] != "b":
                ours.add((number, result["opponent"]))
        # Pairing numbers count who has been in the tournament.
        known = [
            number
            for number, results in sorted(players.items())
            if any(is_paired(results.get(earlier)) for earlier in range(1, round + 1))
        ]
        here = [
            history(players, ratings, number, position, round)
            for position, number in enumerate(known, 1)
            if is_paired(players[number].get(round))
        ]
        met = {
            (min(number, result["opponent"]), max(number, result["opponent"]))
            for number, results in players.items()
            for earlier, result in results.items()
            if earlier < round and result["result"] in PLAYED
        }
        engine = Engine(
            players=here,
            previous_pairings=met,
            round_number=round,
            total_rounds=parsed["tournament"]["total_rounds"],
            initial_color=first,
        )
        try:
            theirs = {(pair["white_id"], pair.get("black_id")) for pair in engine.generate_pairings()}
        except Exception as error:  # noqa: BLE001: whatever it is, the round differs
            differences.append(f"seed {seed}, round {round}: {error!r}")
            continue
        if ours != theirs:
            differences.append(
                f"seed {seed}, round {round}: here {sorted(ours - theirs, key=str)}, "
                f"there {sorted(theirs - ours, key=str)}"
            )
    return rounds, differences


def main():
    reports = sys.stdin.read().split("# ")[1:]
    if not reports:
        sys.exit("nothing to compare")
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        checked = list(pool.map(check, reports, chunksize=4))
    rounds = sum(count for count, _ in checked)
    differences = [difference for _, those in checked for difference in those]
    print("\n".join(differences))
    print(f"{len(reports)} tournaments, {rounds} rounds, {len(differences)} that differ")
    sys.exit(len(differences) * 4_500 > rounds)


main()
