"""Runs each proxy with its configuration in front of a server, and asks through it as a browser would."""

import base64
import contextlib
import http.client
import json
import os
import pathlib
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
NAME = "play.example.org"
# Generous: a start takes a fraction of a second.
PATIENCE = 60
# Where the browser is: not at the address of the proxy.
CLIENT = "127.0.0.2"
# Longer than the default time-out of any proxy here (nginx: 60 s), and than four pings.
SILENCE = 70
MIB = 1 << 20


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def certificate(folder):
    """A certificate for the name, which signs itself."""
    chain, key = folder / "fullchain.pem", folder / "privkey.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
         "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", key, "-out", chain],
        check=True, capture_output=True)
    return chain, key


def nginx(folder, ports, chain, key):
    """The shipped file with the addresses and files of this machine, inside of a minimal http section."""
    text = (HERE / "nginx.conf").read_text()
    text = adapt(text, {
        "127.0.0.1:8080": f"127.0.0.1:{ports['server']}",
        "listen 80;": f"listen 127.0.0.1:{ports['http']};",
        "listen 443 ssl": f"listen 127.0.0.1:{ports['https']} ssl",
        f"/etc/letsencrypt/live/{NAME}/fullchain.pem": str(chain),
        f"/etc/letsencrypt/live/{NAME}/privkey.pem": str(key),
    })
    config = folder / "nginx.conf"
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};\n"
                        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    config.write_text(f"daemon off;\npid {folder}/nginx.pid;\nerror_log stderr;\nevents {{}}\n"
                      f"http {{\naccess_log off;\n{temporary}{text}\n}}\n")
    return ["nginx", "-p", str(folder), "-c", str(config)]


def caddy(folder, ports, chain, key):
    """The shipped file with a certificate of files, since there is no ACME server here."""
    text = (HERE / "Caddyfile").read_text()
    text = adapt(text, {
        "127.0.0.1:8080": f"127.0.0.1:{ports['server']}",
        f"\n{NAME} {{": f"\n{NAME} {{\n\ttls {chain} {key}\n\tbind 127.0.0.1",
        f"http://{NAME} {{": f"http://{NAME} {{\n\tbind 127.0.0.1",
    })
    options = f"{{\n\tadmin off\n\thttp_port {ports['http']}\n\thttps_port {ports['https']}\n}}\n"
    config = folder / "Caddyfile"
    config.write_text(options + text)
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(config)]


def adapt(text, changes):
    for old, new in changes.items():
        if old not in text:
            sys.exit(f"the configuration has no '{old}'")
        text = text.replace(old, new)
    return text


PROXIES = {"nginx": nginx, "caddy": caddy}


@contextlib.contextmanager
def running(command, port, folder, environment):
    process = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL)
    try:
        wait_for(port, process)
        yield process
    finally:
        process.terminate()
        process.wait()


def wait_for(port, process):
    begun = time.monotonic()
    while time.monotonic() - begun < PATIENCE:
        if process.poll() is not None:
            sys.exit(f"{process.args[0]} ended with {process.returncode}")
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    sys.exit(f"{process.args[0]} does not listen")


class Browser:
    """One that trusts the certificate and finds the name at the proxy."""

    def __init__(self, ports, chain):
        self.ports = ports
        self.context = ssl.create_default_context(cafile=chain)
        self.cookies = {}

    def stream(self):
        plain = socket.create_connection(("127.0.0.1", self.ports["https"]), SILENCE + 30, (CLIENT, 0))
        return self.context.wrap_socket(plain, server_hostname=NAME)

    def ask(self, method, path, body=None, headers=None):
        connection = http.client.HTTPSConnection(NAME, timeout=PATIENCE)
        connection.sock = self.stream()
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        given = {"host": NAME, "origin": f"https://{NAME}", "cookie": cookies}
        xsrf = next((value for name, value in self.cookies.items() if "xsrf" in name.lower()), None)
        if xsrf:
            given["x-xsrf-token"] = xsrf
        connection.request(method, path, body, given | (headers or {}))
        response = connection.getresponse()
        for cookie in response.headers.get_all("set-cookie", []):
            name, value = cookie.split(";")[0].split("=", 1)
            self.cookies[name] = value
        return response, response.read()

    def register(self):
        self.ask("GET", "/api/auth/check-login")
        person = {"email": "ann@example.org", "password": "Correct-Horse-7", "username": "ann", "firstName": "Ann",
                  "lastName": "Ann", "accountType": "local", "isGoogleAccount": False}
        response, body = self.ask("POST", "/api/auth/register", json.dumps(person),
                                  {"content-type": "application/json"})
        expect(response.status == 200, f"nobody can register: {response.status} {body}")
        return json.loads(body)["user"]["userId"]

    def websocket(self):
        stream = self.stream()
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        key = base64.b64encode(os.urandom(16)).decode()
        stream.sendall((f"GET /api/backend/realtime HTTP/1.1\r\nhost: {NAME}\r\norigin: https://{NAME}\r\n"
                        f"cookie: {cookies}\r\nconnection: Upgrade\r\nupgrade: websocket\r\n"
                        f"sec-websocket-version: 13\r\nsec-websocket-key: {key}\r\n\r\n").encode())
        head = b""
        while b"\r\n\r\n" not in head:
            received = stream.recv(1)
            expect(received, f"the upgrade broke off: {head}")
            head += received
        expect(b" 101 " in head.split(b"\r\n")[0], f"no websocket: {head}")
        return stream


def expect(is_so, otherwise):
    if not is_so:
        sys.exit(f"BAD: {otherwise}")


def check_redirect(ports):
    for path, status in (("/app/play?game=1", 308), ("/api/auth/login", None)):
        connection = http.client.HTTPConnection("127.0.0.1", ports["http"], timeout=PATIENCE)
        connection.request("GET", path, headers={"host": NAME})
        response = connection.getresponse()
        if status:
            location = response.headers["location"] or ""
            expect(response.status == status, f"{path} without TLS: {response.status}")
            expect(location.startswith("https://") and location.endswith(path), f"{path} leads to {location}")
        else:
            expect(response.status == 403, f"{path} without TLS: {response.status}")


def check_address(browser, log):
    """A failed sign-in is logged with the proxy's word, not with what the client says of itself."""
    wrong = json.dumps({"email": "nobody@example.org", "password": "wrong", "isGoogleAccount": False})
    response, _ = browser.ask("POST", "/api/auth/login", wrong,
                              {"content-type": "application/json", "x-forwarded-for": "203.0.113.9"})
    expect(response.status in (400, 401), f"a wrong password: {response.status}")
    time.sleep(1)
    lines = [json.loads(line) for file in log.glob("*.jsonl") for line in file.read_text().splitlines()]
    seen = {line["address"] for line in lines if line.get("event") and line.get("address")}
    expect(seen == {CLIENT}, f"the server saw {seen}")


def check_upload(browser, user):
    for size, statuses in ((4 * MIB, {422}), (int(5.5 * MIB), {413}), (20 * MIB, {413})):
        body = (b'--b\r\ncontent-disposition: form-data; name="userId"\r\n\r\n' + user.encode() +
                b'\r\n--b\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n'
                b"content-type: image/png\r\n\r\n" + bytes(size) + b"\r\n--b--\r\n")
        try:
            response, text = browser.ask("POST", "/api/backend/profile/image", body,
                                         {"content-type": "multipart/form-data; boundary=b"})
        except (BrokenPipeError, ConnectionResetError, ssl.SSLError):
            # A proxy may close before it has read all of a body that is far too long.
            expect(size > 6 * MIB, f"an upload of {size} bytes broke off")
            continue
        expect(response.status in statuses, f"an upload of {size} bytes: {response.status} {text[:200]}")


def check_websocket(browser):
    stream = browser.websocket()
    begun = time.monotonic()
    # The client says nothing; the server pings, and the connection has to live on.
    while time.monotonic() - begun < SILENCE:
        head = stream.recv(2)
        expect(len(head) == 2, f"the websocket ended after {time.monotonic() - begun:.0f} s")
        opcode, length = head[0] & 0x0F, head[1] & 0x7F
        if length == 126:
            length = int.from_bytes(stream.recv(2), "big")
        payload = b""
        while len(payload) < length:
            payload += stream.recv(length - len(payload))
        expect(opcode != 8, f"the websocket was closed: {payload}")
        if opcode == 9:
            stream.sendall(bytes([0x8A, 0x80 | length, 0, 0, 0, 0]) + payload)


def check(name, morpion):
    if not shutil.which(name):
        sys.exit(f"{name} is not installed: apt-get install {name}")
    with tempfile.TemporaryDirectory() as text:
        folder = pathlib.Path(text)
        folder.chmod(0o755)
        ports = {part: free_port() for part in ("server", "http", "https")}
        chain, key = certificate(folder)
        data = folder / "data"
        environment = os.environ | {
            "MORPION_DATA_DIR": str(data), "MORPION_SERVER__LISTEN": f"127.0.0.1:{ports['server']}",
            "MORPION_SERVER__PUBLIC_URL": f"https://{NAME}", "MORPION_SERVER__TRUSTED_PROXIES": "127.0.0.1",
            "MORPION_LOG__LEVEL": "warn,morpion_appliance::security=info", "HOME": text, "XDG_DATA_HOME": text, "XDG_CONFIG_HOME": text,
        }
        with (running([morpion, "serve"], ports["server"], folder, environment),
              running(PROXIES[name](folder, ports, chain, key), ports["https"], folder, environment)):
            browser = Browser(ports, chain)
            response, _ = browser.ask("GET", "/healthz")
            expect(response.status == 200, f"/healthz: {response.status}")
            expect(response.headers["strict-transport-security"], "no HSTS")
            response, _ = browser.ask("GET", "/readyz")
            expect(response.status == 404, f"strangers read /readyz: {response.status}")
            check_redirect(ports)
            user = browser.register()
            expect("__Host-morpion_session" in browser.cookies, f"cookies: {list(browser.cookies)}")
            check_address(browser, data / "logs")
            check_upload(browser, user)
            check_websocket(browser)
    print(f"{name}: redirect, address, cookies, uploads and a silent websocket are as they should be")


if __name__ == "__main__":
    for chosen in sys.argv[2:]:
        check(chosen, sys.argv[1])
