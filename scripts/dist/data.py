"""data.py make|compare URL FILE: what a server has after an evening, made before an upgrade and looked for after it.

`make` lets people register, play, sign up for an event and end another one, by the API that browsers use, and writes
what the server answers into FILE. `compare` asks again, fails where a value is another one, and plays the game on that
was under way; with `--left` it leaves that game as it is. The server has an admin ann whose password is PASSWORD.
Needs nothing but Python.
"""

import base64
import http.client
import json
import os
import socket
import struct
import sys
import time
import urllib.parse
import zlib
from datetime import datetime, timedelta, timezone
from pathlib import Path

PASSWORD = "Chalk-and-1nk"
# For each answer; an emulated machine is slow.
PATIENCE = 60
PLAYERS = ("grace", "linus")
# Row and column: the first player has a line after the last of them.
THREE = [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)]
FOUR = [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2), (0, 3)]
PLAYED_BEFORE = 5
RECORD = "the evening was fine"
# What is so at one moment only.
FLEETING = {"serverTime", "turnDeadline", "connected", "absentUntil", "version", "watchers", "timeUsedMs", "deviation"}


class Server:
    def __init__(self, url: str) -> None:
        self.url = url
        self.host = urllib.parse.urlsplit(url).netloc

    def ask(self, method: str, path: str, place: str, headers: dict, body: bytes | None) -> tuple[int, list, bytes]:
        connection = http.client.HTTPConnection(self.host, timeout=PATIENCE, source_address=(place, 0))
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.getheaders(), answer.read()
        finally:
            connection.close()


class Person:
    """A browser of somebody; its cookies are kept from one version to the next."""

    def __init__(self, server: Server, name: str, cookies: dict | None = None) -> None:
        self.server, self.name, self.cookies = server, name, cookies or {}
        self.user_id = ""
        # Each at an address of their own: games between people at one are not rated.
        self.place = f"127.0.0.{2 + PLAYERS.index(name)}" if name in PLAYERS else "127.0.0.1"

    def headers(self) -> dict:
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return {"Origin": self.server.url, "Cookie": cookies, "X-XSRF-TOKEN": self.cookies.get("XSRF-TOKEN", "")}

    def fetch(self, method: str, path: str, body: bytes | None = None, kind: str = "application/json") -> bytes:
        headers = self.headers() | ({"Content-Type": kind} if body is not None else {})
        status, answered, content = self.server.ask(method, path, self.place, headers, body)
        for name, value in answered:
            if name.lower() == "set-cookie":
                cookie, _, rest = value.partition(";")[0].partition("=")
                self.cookies[cookie] = rest
        if status != 200:
            sys.exit(f"{self.name}: {method} {path} was answered {status}: {content.decode(errors='replace')}")
        return content

    def enter(self, how: str, body: dict) -> None:
        """Registers or signs in."""
        self.fetch("GET", "/api/auth/check-login")
        answer = json.loads(self.fetch("POST", f"/api/auth/{how}", json.dumps(body).encode()))
        self.user_id = answer["user"]["userId"]

    def register(self) -> None:
        account = {"email": f"{self.name}@example.org", "username": self.name, "password": PASSWORD}
        account |= {"firstName": self.name.title(), "lastName": "", "accountType": "local", "isGoogleAccount": False}
        self.enter("register", account)

    def sign_in(self) -> None:
        self.enter("login", {"email": f"{self.name}@example.org", "password": PASSWORD, "isGoogleAccount": False})

    def read(self, resource: str, action: str, **payload) -> dict:
        query = urllib.parse.urlencode({"action": action, "payload": json.dumps(payload)})
        return json.loads(self.fetch("GET", f"/api/backend/{resource}?{query}"))

    def write(self, resource: str, action: str, **payload) -> dict:
        body = json.dumps({"action": action, "payload": payload}).encode()
        return json.loads(self.fetch("POST", f"/api/backend/{resource}", body))

    def upload(self, picture: bytes) -> None:
        head = b'--frontier\r\nContent-Disposition: form-data; name="file"; filename="me.png"\r\n'
        form = head + b"Content-Type: image/png\r\n\r\n" + picture + b"\r\n--frontier--\r\n"
        self.fetch("POST", "/api/backend/profile/image", form, "multipart/form-data; boundary=frontier")


class Channel:
    """The realtime channel of a person: RFC 6455 as far as it is needed."""

    def __init__(self, person: Person) -> None:
        host, port = person.server.host.split(":")
        self.stream = socket.create_connection((host, int(port)), PATIENCE, (person.place, 0))
        headers = person.headers() | {
            "Host": person.server.host, "Connection": "Upgrade", "Upgrade": "websocket",
            "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(),
        }
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.stream.sendall(f"GET /api/backend/realtime HTTP/1.1\r\n{lines}\r\n".encode())
        self.reader = self.stream.makefile("rb")
        status = self.reader.readline()
        if b" 101 " not in status:
            sys.exit(f"{person.name}: no websocket: {status.decode(errors='replace')}")
        while self.reader.readline() != b"\r\n":
            pass
        self.wait("authenticated")

    def frame(self, kind: int, content: bytes) -> None:
        size = bytes([0x80 | len(content)]) if len(content) < 126 else b"\xfe" + struct.pack("!H", len(content))
        # The mask of zeros leaves the content as it is.
        self.stream.sendall(bytes([0x80 | kind]) + size + bytes(4) + content)

    def send(self, event: str, **data) -> None:
        self.frame(1, json.dumps({"event": event, "data": data}).encode())

    def wait(self, event: str) -> dict:
        """The data of the next frame of this event."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            kind, size = self.reader.read(2)
            size &= 0x7F
            if size > 125:
                wide = 2 if size == 126 else 8
                size = int.from_bytes(self.reader.read(wide), "big")
            content = self.reader.read(size)
            if kind & 0x0F == 9:
                self.frame(10, content)
            elif kind & 0x0F == 8:
                sys.exit(f"The server closed the websocket while {event} was awaited.")
            elif kind & 0x0F == 1:
                frame = json.loads(content)
                if frame["event"] == event:
                    return frame["data"]
        sys.exit(f"{event} did not come within {PATIENCE} s.")

    def close(self) -> None:
        self.stream.close()
        self.reader.close()


def soon(what: str, ask):
    """What `ask` returns, as soon as it is something."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if found := ask():
            return found
        time.sleep(0.2)
    sys.exit(f"{what}: not within {PATIENCE} s.")


def picture() -> bytes:
    """A PNG of 64 x 64 pixels in two colours."""
    part = lambda kind, content: (
        struct.pack("!I", len(content)) + kind + content + struct.pack("!I", zlib.crc32(kind + content)))
    row = b"\0" + b"\x20\x60\xa0" * 32 + b"\xf0\xe0\xd0" * 32
    head = struct.pack("!IIBBBBB", 64, 64, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", zlib.compress(row * 64)) + part(b"IEND", b"")


def come(players: list[Person], game_id: str, channels: list[Channel] | None = None) -> list[Channel]:
    """Both are in the game, and it goes on."""
    channels = channels or [Channel(player) for player in players]
    for channel in channels:
        channel.send("joinGame", gameId=game_id)
        channel.wait("gameJoined")

    def goes_on() -> bool:
        return players[0].read("game", "get_game", gameId=game_id)["game"]["status"] == "active"

    soon("A game with both players does not go on", goes_on)
    return channels


def play(players: list[Person], game_id: str, moves: list) -> dict:
    """The moves, by whoever is to move, and the game after them."""
    by_id = {player.user_id: player for player in players}
    game = players[0].read("game", "get_game", gameId=game_id)["game"]
    for row, column in moves:
        mover = by_id[game["currentTurn"]]
        game = mover.write("game", "make_move", gameId=game_id, row=row, col=column)["game"]
    return game


def invite(players: list[Person], size: int) -> str:
    ids = [{"userId": player.user_id} for player in players]
    game = players[0].write("game", "create_game", players=ids, gameType="invite", boardSize=size)
    return game["game"]["gameId"]


def published_event(ann: Person, players: list[Person], title: str) -> str:
    at = lambda days: (datetime.now(timezone.utc) + timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%SZ")
    made = ann.write("event", "create_event", title=title, description="Chalk is there.", prize="a pencil",
                     startTime=at(30), endTime=at(31), maxLosses=2)
    event_id = made["event"]["eventId"]
    assert made["event"]["eventState"] == "drafted", made
    ann.write("event", "update_event", eventId=event_id, eventState="published")
    for player in players:
        player.write("eventSignUp", "sign_up", eventId=event_id)
    return event_id


def played_event(ann: Person, players: list[Person]) -> tuple[str, str]:
    """An event with one game, which is over, and that game."""
    event_id = published_event(ann, players, "A night of chalk")
    ann.write("event", "start_event", eventId=event_id)
    channels = [Channel(player) for player in players]
    for channel in channels:
        channel.send("joinEventRoom", eventId=event_id)
        channel.wait("eventJoined")
    for channel in channels:
        channel.send("findMatch", eventId=event_id)
    found = [channel.wait("playerFound") for channel in channels]
    assert found[0].get("unratedBecause") is None, found
    game_id = found[0]["gameId"]
    come(players, game_id, channels)
    game = play(players, game_id, THREE)
    assert game["status"] == "completed" and game["winner"], game
    for channel in channels:
        channel.close()
    rated = lambda: players[0].read("game", "get_game", gameId=game_id)["game"].get("ratingChanges")
    soon("The ratings after a game", rated)
    ann.write("event", "end_event", eventId=event_id)
    concluded = lambda: ann.read("event", "get_event_by_id", eventId=event_id)["event"]["concluded"]
    soon("The winners of an event", concluded)
    return event_id, game_id


def make(server: Server, file: Path) -> None:
    ann = Person(server, "ann")
    ann.sign_in()
    players = [Person(server, name) for name in PLAYERS]
    for player in players:
        player.register()
    players[0].upload(picture())

    finished = invite(players, 3)
    channels = come(players, finished)
    game = play(players, finished, THREE)
    assert game["winnerUserId"] == players[0].user_id, game
    for channel in channels:
        channel.close()
    share = players[0].write("game", "share_game", gameId=finished)["shareToken"]
    past_event, event_game = played_event(ann, players)
    coming_event = published_event(ann, players, "A night to come")
    live = invite(players, 4)
    channels = come(players, live)
    play(players, live, FOUR[:PLAYED_BEFORE])
    for channel in channels:
        channel.close()
    players[1].write("logger", "log", level="warning", message=RECORD)

    notes = {
        "people": {person.name: {"userId": person.user_id, "cookies": person.cookies} for person in [ann, *players]},
        "games": [finished, event_game], "live": live, "events": [past_event, coming_event], "share": share,
    }
    soon("The record of a client", lambda: records(ann))
    notes["answers"] = answers(server, ann, players, notes)
    file.write_text(json.dumps(notes, indent=1))
    print(f"{len(notes['people'])} people, {len(notes['games'])} finished games, a live one, 2 events")


def records(ann: Person) -> list:
    return ann.read("logger", "searchLogs", query=RECORD)["data"]["logs"]


def answers(server: Server, ann: Person, players: list[Person], notes: dict) -> dict:
    """Everything that was made, as the server tells it."""
    grace, linus = players
    told = {"records": records(ann)}
    for player in players:
        told[f"profile of {player.name}"] = linus.read("player", "get_profile", userId=player.user_id)
        told[f"account of {player.name}"] = ann.read("userprofile", "get_user_by_id", userId=player.user_id)
        told[f"history of {player.name}"] = player.read("player", "get_history", userId=player.user_id)
        told[f"games of {player.name}"] = player.read("game", "get_games_by_user", userId=player.user_id)
        told[f"sessions of {player.name}"] = len(json.loads(player.fetch("GET", "/api/auth/sessions"))["sessions"])
    told["head to head"] = grace.read("player", "get_head_to_head", userId=linus.user_id)
    told["ratings"] = grace.read("player", "get_rating_list")
    for game_id in notes["games"]:
        told[f"replay {game_id}"] = grace.read("game", "get_replay", gameId=game_id)
    told["shared replay"] = Person(server, "nobody").read("game", "get_replay", shareToken=notes["share"])
    told["live game"] = grace.read("game", "get_game", gameId=notes["live"])
    for event_id in notes["events"]:
        told[f"event {event_id}"] = linus.read("event", "get_event_by_id", eventId=event_id)
        told[f"sign-ups of {event_id}"] = ann.read("eventSignUp", "list_signups_for_event", eventId=event_id)
        told[f"leaderboard of {event_id}"] = linus.read("player", "get_leaderboard", eventId=event_id)
        told[f"proof of {event_id}"] = ann.read("event", "verify_event", eventId=event_id)
    picture_path = f"/api/backend/profile/image/{grace.user_id}/128"
    told["picture"] = base64.b64encode(linus.fetch("GET", picture_path)).decode()
    return told


def differences(path: str, before, now) -> list[str]:
    """Where a value is another one, or missing. What a newer version tells in addition is none."""
    if isinstance(before, dict) and isinstance(now, dict):
        pairs = [(f"{path}, {name}", value, now.get(name)) for name, value in before.items() if name not in FLEETING]
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        pairs = [(f"{path}, {at}", *pair) for at, pair in enumerate(zip(before, now))]
    else:
        return [] if before == now else [f"{path}: {json.dumps(before)} before, {json.dumps(now)} now"]
    return [line for pair in pairs for line in differences(*pair)]


def compare(server: Server, file: Path, goes_on: bool) -> None:
    notes = json.loads(file.read_text())
    people = []
    for name, known in notes["people"].items():
        person = Person(server, name, known["cookies"])
        person.user_id = known["userId"]
        people.append(person)
    ann, *players = people
    found = differences("what was", notes["answers"], answers(server, ann, players, notes))
    if found:
        sys.exit("\n".join(found))
    for event_id in notes["events"]:
        proof = ann.read("event", "verify_event", eventId=event_id)
        assert proof["agrees"], proof
    Person(server, "grace").sign_in()
    moves = notes["answers"]["live game"]["game"]["moves"]
    assert len(moves) == PLAYED_BEFORE, moves
    if goes_on:
        channels = come(players, notes["live"])
        game = play(players, notes["live"], FOUR[PLAYED_BEFORE:])
        assert game["status"] == "completed" and game["winnerUserId"] == players[0].user_id, game
        for channel in channels:
            channel.close()
        played = players[0].read("game", "get_replay", gameId=notes["live"])["replay"]["rounds"][0]["moves"]
        assert [(move["row"], move["col"]) for move in played] == FOUR, played
        assert played[:PLAYED_BEFORE] == moves, played
    print(f"{len(notes['answers'])} answers are as they were" + (", and the live game went on" if goes_on else ""))


def main() -> None:
    command, url, file, *options = sys.argv[1:]
    if command == "make":
        make(Server(url), Path(file))
    else:
        compare(Server(url), Path(file), options != ["--left"])


main()
