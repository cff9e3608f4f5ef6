"""The bots of `examples/` play as accounts that are bots: that of Python invites that of TypeScript to so many games, then both are
invited by an account that plays by the solver of the rules. No move is refused, and the solver loses nothing.

    bots.py ADDRESS MORPION BEST_MOVE GAMES SOLVED

`MORPION` is the server's program, whose command line gives the admin's word; `BEST_MOVE` is the example of the rules."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import unquote

import httpx
from websockets.sync.client import connect

ADDRESS, MORPION, BEST_MOVE, GAMES, SOLVED = sys.argv[1:4] + [int(number) for number in sys.argv[4:6]]
EXAMPLES = Path(os.environ["EXAMPLES"])
# A game of two bots takes a second.
PATIENCE = 30 + 3 * GAMES
NAMES = {"bot.py": "chalkbot", "bot.ts": "slatebot"}


class Person:
    """Somebody who signs up, and has a session."""

    def __init__(self, name):
        self.client = httpx.Client(base_url=ADDRESS, headers={"Origin": ADDRESS}, timeout=30)
        self.client.get("/api/auth/check-login")
        account = {"email": f"{name}@example.org", "username": name, "password": "Chalk-and-1nk", "firstName": "", "lastName": ""}
        self.id = self.post("/api/auth/register", account | {"accountType": "local", "isGoogleAccount": False})["user"]["userId"]

    def post(self, path, body):
        token = unquote(self.client.cookies.get("XSRF-TOKEN", ""))
        answer = self.client.post(path, json=body, headers={"X-XSRF-TOKEN": token})
        assert answer.status_code == 200, (path, answer.status_code, answer.text)
        return answer.json()

    def read(self, resource, action, payload):
        path = f"/api/backend/{resource}/{action}"
        return self.client.get(path, params={"payload": json.dumps(payload)}).raise_for_status().json()

    def finished(self, count):
        """The last games of this person, once so many are stored: moments after their end."""
        for _ in range(100):
            games = self.read("player", "get_history", {"userId": self.id, "limit": 100})
            if games["pagination"]["totalCount"] >= count:
                return games["games"]
            time.sleep(0.1)
        raise AssertionError((count, games["pagination"]))


def bot(example):
    """A new account that is a bot, and what its program needs."""
    name = NAMES[example]
    person = Person(name)
    subprocess.run([MORPION, "user", "allow-hosting", name], check=True, stdout=subprocess.DEVNULL)
    person.post("/api/backend/userprofile/become_bot", {"username": name})
    token = person.post("/api/auth/tokens", {"name": example, "scopes": ["play"]})["token"]
    return person, {"MORPION_TOKEN": token, "SEED": "7", "PAUSE": "0"}


def run(example, secrets, *arguments):
    program = [sys.executable] if example.endswith(".py") else ["node"]
    command = program + [EXAMPLES / example, ADDRESS, *arguments]
    return subprocess.Popen(
        command, env=os.environ | secrets, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def solve(me, rival):
    """Plays by the solver against a bot: one game, and another one for each that is over."""
    cookie = "; ".join(f"{name}={value}" for name, value in me.client.cookies.items())
    players = [{"userId": me.id}, {"userId": rival.id}]
    solver = subprocess.Popen([BEST_MOVE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    address = ADDRESS.replace("http", "ws", 1) + "/api/backend/realtime"
    with connect(address, origin=ADDRESS, additional_headers={"Cookie": cookie}) as socket:
        def send(event, **data):
            socket.send(json.dumps({"event": event, "data": data}))

        send("joinGame", gameId=me.post("/api/backend/game/create_game", {"players": players, "gameType": "invite"})["game"]["gameId"])
        played = 0
        while played < SOLVED:
            frame = json.loads(socket.recv(timeout=20))
            event, data = frame["event"], frame["data"]
            assert event not in ("error", "gameError", "moveRejected"), frame
            state = data.get("newGameState") or data.get("gameState") or data
            turn = state.get("nextTurn") or state.get("currentTurn")
            if event in ("gameStarted", "moveUpdate") and turn == me.id:
                mine = "X" if data.get("symbol") != "X" else "O"
                rows = ("".join(cell or "." for cell in cells) for cells in state["board"])
                print("/".join(rows), mine, file=solver.stdin, flush=True)
                row, col = map(int, solver.stdout.readline().split())
                time.sleep(0.03)
                send("makeMove", gameId=state["gameId"], row=row, col=col, version=state["version"])
            elif event == "gameEnd" or event == "gameDraw":
                played += 1
                if played < SOLVED:
                    send("playAgain", gameId=data["gameId"])
    solver.stdin.close()
    solver.wait()


(chalk, chalk_secrets), (slate, slate_secrets) = bot("bot.py"), bot("bot.ts")
listed = chalk.read("player", "list_bots", {})["bots"]
assert {entry["username"] for entry in listed} == set(NAMES.values()), listed

host = run("bot.ts", slate_secrets)
guest = None
try:
    assert host.stdout.readline() == "connected\n", host.stderr.read()
    began = time.monotonic()
    challenger = run("bot.py", chalk_secrets, slate.id, str(GAMES))
    said, refused = challenger.communicate(timeout=PATIENCE)
    assert challenger.returncode == 0 and not refused, refused
    assert len(said.splitlines()) == GAMES + 1, said
    games = chalk.finished(GAMES)
    assert all(game["opponent"]["isBot"] and not game["rated"] for game in games), games
    tally = {result: sum(game["result"] == result for game in games) for result in ("won", "lost", "drawn")}
    print(f"{GAMES} games of bot.py and bot.ts in {time.monotonic() - began:.0f} s, of bot.py {tally}: no move was refused.")

    guest = run("bot.py", chalk_secrets)
    assert guest.stdout.readline() == "connected\n", guest.stderr.read()
    solver = Person("solver")
    for count, (name, rival) in enumerate([("bot.py", chalk), ("bot.ts", slate)], 1):
        solve(solver, rival)
        results = [game["result"] for game in solver.finished(count * SOLVED) if game["opponent"]["userId"] == rival.id]
        tally = {result: results.count(result) for result in ("won", "lost", "drawn")}
        assert tally["lost"] == 0 and len(results) == min(SOLVED, 100), tally
        print(f"{SOLVED} games of an account that plays by the solver against {name}, of the solver {tally}.")
finally:
    for program in filter(None, (host, guest)):
        program.kill()
for program in (host, guest):
    refused = program.communicate()[1]
    assert not refused, refused
