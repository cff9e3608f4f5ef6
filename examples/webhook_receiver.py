"""A server that receives webhooks from Morpion: it checks the signature and prints the message.

    MORPION_WEBHOOK_SECRET=whsec_… python3 webhook_receiver.py 8000

The secret is shown once, when an admin makes the webhook. Morpion only sends to public HTTPS addresses, so put a web server with a
certificate in front of this. Only Python's standard library is needed."""

import base64
import hashlib
import hmac
import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = base64.b64decode(os.environ["MORPION_WEBHOOK_SECRET"].removeprefix("whsec_"))
OLDEST = 5 * 60  # seconds; refuses recorded messages that are sent again later
LONGEST = 64 * 1024  # bytes of a message
seen = set()  # a real receiver stores the ids, to remember them after a restart


def is_from_morpion(headers, body):
    """Whether our server signed this message just now."""
    message, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isascii() or not timestamp.isdigit() or abs(time.time() - int(timestamp)) > OLDEST:
        return False
    signed = f"{message}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.digest(KEY, signed, hashlib.sha256))
    signatures = headers.get("webhook-signature", "").encode().split(b" ")
    return any(hmac.compare_digest(expected, signature) for signature in signatures)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        length = self.headers.get("content-length", "")
        body = self.rfile.read(int(length)) if length.isdigit() and int(length) <= LONGEST else b""
        if not is_from_morpion(self.headers, body):
            return self.send_error(401)
        # Messages can arrive more than once: the same id is the same message. Answer first, then work.
        is_new = self.headers["webhook-id"] not in seen
        seen.add(self.headers["webhook-id"])
        self.send_response(204)
        self.end_headers()
        if is_new:
            message = json.loads(body)
            print(message["type"], json.dumps(message["data"]), flush=True)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver)
print("listening on", server.server_port, flush=True)
server.serve_forever()
