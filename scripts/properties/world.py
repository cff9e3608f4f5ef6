"""Who makes the generated calls, and what is there for them to find."""

import itertools
import json
import os
import subprocess

import requests

URL = os.environ["PROPERTIES_URL"]
MORPION = os.environ["PROPERTIES_MORPION"]
NUMBERS = itertools.count()
LETTERS = str.maketrans("0123456789", "bdhjlmpqrv")


def shell(*arguments):
    """What a command of the server's shell prints."""
    return subprocess.run([MORPION, *arguments], check=True, capture_output=True, text=True).stdout.strip()


def shell_token():
    """The id of the token that the shell itself uses."""
    tokens = map(json.loads, shell("--json", "token", "list").splitlines())
    return next(token["tokenId"] for token in tokens if token["name"] == "local")


class Person:
    """Somebody in a role; new accounts and sessions replace those that calls end."""

    def __init__(self, role):
        self.role = role
        self.join()

    def join(self):
        self.headers, self.user_id = {"Origin": URL}, None
        if self.role == "operator":
            token = shell("token", "create", f"properties-{os.getpid()}-{next(NUMBERS)}", "--scope", "all")
            self.headers["Authorization"] = f"Bearer {token}"
            return
        browser = requests.Session()
        browser.get(f"{URL}/api/auth/check-login").raise_for_status()
        if self.role != "nobody":
            self.register(browser)
        if self.role == "program":
            self.headers["Authorization"] = f"Bearer {self.token(browser)}"
            return
        self.headers["Cookie"] = "; ".join(f"{cookie.name}={cookie.value}" for cookie in browser.cookies)
        self.headers["X-XSRF-TOKEN"] = browser.cookies["XSRF-TOKEN"]

    def register(self, browser):
        # Letters, because digits can be read as those of a word that no name may contain.
        name = f"chalk{os.getpid()}{next(NUMBERS):03}".translate(LETTERS)
        account = {"email": f"{name}@example.org", "username": name, "password": "Chalk-and-1nk"}
        account |= {"firstName": "", "lastName": "", "accountType": "local", "isGoogleAccount": False}
        headers = self.headers | {"X-XSRF-TOKEN": browser.cookies["XSRF-TOKEN"]}
        answer = browser.post(f"{URL}/api/auth/register", json=account, headers=headers)
        answer.ok or exit(answer.text)
        self.user_id = answer.json()["user"]["userId"]
        if self.role == "admin":
            shell("admin", "promote", name)

    @staticmethod
    def token(browser):
        """A personal token with every scope."""
        headers = {"Origin": URL, "X-XSRF-TOKEN": browser.cookies["XSRF-TOKEN"]}
        wish = {"name": "properties", "scopes": ["read", "play", "event"]}
        answer = browser.post(f"{URL}/api/auth/tokens", json=wish, headers=headers)
        answer.ok or exit(answer.text)
        return answer.json()["token"]

    def is_known(self):
        """Whether the session, or the token, still works."""
        path = {"nobody": "/api/auth/check-login", "operator": "/api/backend/admin?action=list_tokens"}
        path["program"] = "/api/backend/userprofile/get_user_by_id"
        path = path.get(self.role, "/api/auth/sessions")
        return requests.get(URL + path, headers=self.headers).ok

    def write(self, resource, action, **payload):
        body = {"action": action, "payload": payload}
        answer = requests.post(f"{URL}/api/backend/{resource}", json=body, headers=self.headers)
        answer.raise_for_status()
        return answer.json()


def ids(person):
    """Of people, this one among them, of events in some states and of games."""
    admin, ada, grace = Person("admin"), Person("player"), Person("player")
    users = [ada.user_id, grace.user_id, person.user_id or admin.user_id]
    events, games = [], []
    for state in ["draft", "published", "live"]:
        times = {"startTime": "2100-01-01T10:00:00Z", "endTime": "2100-01-01T11:00:00Z"}
        event_id = admin.write("event", "create_event", title=state, **times)["event"]["eventId"]
        events.append(event_id)
        if state != "draft":
            admin.write("event", "update_event", eventId=event_id, eventState="published")
            ada.write("eventSignUp", "sign_up", eventId=event_id)
        if state == "live":
            admin.write("event", "start_event", eventId=event_id)
    for other in [grace, grace, person]:
        # With an operator, who plays no games, somebody else is asked.
        players = [{"userId": ada.user_id}, {"userId": other.user_id or grace.user_id}]
        games.append(ada.write("game", "create_game", players=players, gameType="invite")["game"]["gameId"])
    return {"userid": users, "eventid": events, "gameid": games}
