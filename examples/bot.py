"""A bot that takes every invitation and plays where it finds room.

    pip install websockets
    MORPION_TOKEN=morpion_pat_… python3 bot.py https://play.example.org

The token needs the scope `play`: settings, Security, Programs. Its account plays; invite it to a game."""

import json
import os
import random
import sys

from websockets.sync.client import connect

ADDRESS = sys.argv[1].rstrip("/").replace("http", "ws", 1) + "/api/backend/realtime"
HEADERS = {"Authorization": "Bearer " + os.environ["MORPION_TOKEN"]}


def send(socket, event, **data):
    socket.send(json.dumps({"event": event, "data": data}))


def move(socket, me, game_id, board, turn, version):
    """Moves, if it is the bot's turn; the version says which position it answers."""
    free = [(row, col) for row, cells in enumerate(board) for col, cell in enumerate(cells) if not cell]
    if turn == me and free:
        row, col = random.choice(free)
        send(socket, "makeMove", gameId=game_id, row=row, col=col, version=version)


with connect(ADDRESS, additional_headers=HEADERS) as socket:
    me = None
    print("connected", flush=True)
    for text in socket:
        frame = json.loads(text)
        event, data = frame["event"], frame["data"]
        if event == "authenticated":
            me = data["userId"]
        elif event == "gameInvitation":
            send(socket, "joinGame", gameId=data["game"]["gameId"])
        elif event in ("gameStarted", "gameDraw"):
            game = data.get("newGameState") or data.get("gameState")
            if game:
                move(socket, me, game["gameId"], game["board"], game.get("currentTurn"), game["version"])
        elif event == "moveUpdate" and data["gameStatus"] == "active":
            move(socket, me, data["gameId"], data["board"], data.get("nextTurn"), data["version"])
        elif event == "gameEnd":
            print("won" if data.get("winnerUserId") == me else "over", data["gameId"], flush=True)
        elif event in ("error", "gameError", "moveRejected"):
            print(event, data, file=sys.stderr, flush=True)
