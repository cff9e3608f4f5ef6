"""A bot that accepts every invitation, plays random moves, and plays again whenever it is asked.

    pip install websockets
    MORPION_TOKEN=morpion_pat_… python3 bot.py https://play.example.org [USER_ID [GAMES]]

The token needs the scope `play`: settings, Security, Programs. With a USER_ID the bot invites that user to GAMES games (default 1)."""

import json
import os
import random
import sys
import time
from urllib.request import Request, urlopen

from websockets.sync.client import connect

ADDRESS = sys.argv[1].rstrip("/")
RIVAL = sys.argv[2] if len(sys.argv) > 2 else None
GAMES = int(sys.argv[3]) if len(sys.argv) > 3 else 1
PAUSE = float(os.environ.get("PAUSE", 3))  # Seconds; a server takes 20 invitations a minute.
HEADERS = {"Authorization": "Bearer " + os.environ["MORPION_TOKEN"], "Content-Type": "application/json"}
choose = random.Random(os.environ.get("SEED")).choice


def invite(me):
    wish = {"players": [{"userId": me}, {"userId": RIVAL}], "gameType": "invite"}
    answer = urlopen(Request(ADDRESS + "/api/backend/game/create_game", json.dumps(wish).encode(), HEADERS))
    return json.load(answer)["game"]["gameId"]


def play(socket, send, me=None, left=GAMES):
    for frame in map(json.loads, socket):
        event, data = frame["event"], frame["data"]
        state = data.get("newGameState") or data.get("gameState") or data
        turn = state.get("nextTurn") or state.get("currentTurn")
        if event == "authenticated":
            me = data["userId"]
            print("connected", flush=True)
            if RIVAL:
                send("joinGame", gameId=invite(me))
        elif event == "gameInvitation":
            send("joinGame", gameId=data["game"]["gameId"])
        elif event in ("gameStarted", "gameDraw", "moveUpdate") and turn == me:
            free = [(row, col) for row, cells in enumerate(state["board"]) for col, cell in enumerate(cells) if not cell]
            time.sleep(0.05)  # A server closes sockets that send more than 40 frames a second.
            row, col = choose(free)
            send("makeMove", gameId=state["gameId"], row=row, col=col, version=state["version"])
        elif event == "gameEnd" or event == "gameDraw" and not turn:
            print("won" if data.get("winnerUserId") == me else "over", data["gameId"], flush=True)
            if RIVAL and (left := left - 1) == 0:
                return
            time.sleep(PAUSE if RIVAL else 0)
            send("playAgain" if RIVAL else "leaveGameRoom", gameId=data["gameId"])
        elif event in ("error", "gameError", "moveRejected"):
            print(event, data, file=sys.stderr, flush=True)


with connect(ADDRESS.replace("http", "ws", 1) + "/api/backend/realtime", additional_headers=HEADERS) as socket:
    play(socket, lambda event, **data: socket.send(json.dumps({"event": event, "data": data})))
