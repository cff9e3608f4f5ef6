"""Two people play a game with the Python client that is generated from the document alone: they register, one invites
the other, they play to the end over the realtime channel, and read what they played. Then one plays against the bot of `examples/`, which
has the other's personal token. The server's address is the argument."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from morpion_client import Client
from morpion_client.api.auth import check_login, create_personal_token, register
from morpion_client.api.game import create_game
from morpion_client.api.player import get_history
from morpion_client.models import (
    AccountType,
    CreateGame,
    CreatePersonalToken,
    GameType,
    GetHistory,
    PlayerRef,
    ProgramScope,
    RegisterRequest,
)
from websockets.sync.client import connect

ADDRESS = sys.argv[1]
# X wins in the first row.
MOVES = [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)]


class Person:
    def __init__(self, name):
        def repeat_token(request):
            request.headers["X-XSRF-TOKEN"] = self.cookies.get("XSRF-TOKEN", "")

        hooks = {"event_hooks": {"request": [repeat_token]}}
        self.client = Client(base_url=ADDRESS, headers={"Origin": ADDRESS}, httpx_args=hooks, raise_on_unexpected_status=True)
        self.cookies = self.client.get_httpx_client().cookies
        check_login.sync(client=self.client)
        account = RegisterRequest(
            email=f"{name}@example.org",
            username=name,
            password="Chalk-and-1nk",
            first_name="",
            last_name="",
            account_type=AccountType.LOCAL,
            is_google_account=False,
        )
        self.user_id = register.sync(client=self.client, body=account).user.user_id

    def enter(self, game_id):
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        address = ADDRESS.replace("http", "ws", 1) + "/api/backend/realtime"
        # It is closed when the program ends.
        self.socket = connect(address, legacy=True, origin=ADDRESS, additional_headers={"Cookie": cookie})
        self.send("joinGame", gameId=game_id)

    def send(self, event, **data):
        self.socket.send(json.dumps({"event": event, "id": event, "data": data}))

    def is_next(self, data):
        turn = data.get("nextTurn") or data.get("gameState", {}).get("currentTurn")
        return turn == str(self.user_id)

    def until(self, fits):
        while True:
            frame = json.loads(self.socket.recv(timeout=10))
            assert frame["event"] != "error" and "errorCode" not in frame["data"], frame
            if fits(frame["event"], frame["data"]):
                return frame["data"]


ada, bob = Person("chalkada"), Person("chalkbob")
invitation = CreateGame(players=[PlayerRef(user_id=ada.user_id), PlayerRef(user_id=bob.user_id)], game_type=GameType.INVITE)
game_id = str(create_game.sync(client=ada.client, body=invitation).game.game_id)
for person in (ada, bob):
    person.enter(game_id)
for number, (row, col) in enumerate(MOVES):
    mover = (ada, bob)[number % 2]
    mover.until(lambda event, data: mover.is_next(data))
    mover.send("makeMove", gameId=game_id, row=row, col=col)
over = bob.until(lambda event, data: event == "gameEnd")
assert over["winnerUserId"] == str(ada.user_id), over

# A game is in the history once it is stored, shortly after its end.
wish = json.dumps(GetHistory(user_id=ada.user_id).to_dict())
for _ in range(50):
    played = get_history.sync(client=ada.client, payload=wish).games
    if played:
        break
    time.sleep(0.2)
assert [(str(game.game_id), game.result) for game in played] == [(game_id, "won")], played
print(f"A game of {len(MOVES)} moves was played with the Python client.")

# The bot takes the invitation and answers each move.
wish = CreatePersonalToken(name="bot", scopes=[ProgramScope.PLAY])
token = create_personal_token.sync(client=bob.client, body=wish).token
bot = subprocess.Popen(
    [sys.executable, Path(os.environ["EXAMPLES"], "bot.py"), ADDRESS],
    env=os.environ | {"MORPION_TOKEN": token},
    stdout=subprocess.PIPE,
    text=True,
)
try:
    assert bot.stdout.readline() == "connected\n"
    game_id = str(create_game.sync(client=ada.client, body=invitation).game.game_id)
    ada.enter(game_id)
    while True:
        seen = ada.until(lambda event, data: event == "gameEnd" or event != "gameJoined" and ada.is_next(data))
        board = seen.get("gameState", seen).get("board")
        if board is None:
            break
        row, col = next((row, col) for row in range(3) for col in range(3) if not board[row][col])
        ada.send("makeMove", gameId=game_id, row=row, col=col)
    assert bot.stdout.readline().split()[1] == game_id
finally:
    bot.kill()
print("A game was played with the bot.")
