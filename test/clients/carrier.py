"""What both Python programs do beside calling the API: receive a delivery, send a file, and verify signatures."""
import base64, hashlib, hmac, json, os, threading, urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

BASE_URL = os.environ["BASE_URL"]
CREDENTIALS = {"client_id": os.environ["CLIENT_ID"], "client_secret": os.environ["CLIENT_SECRET"]}
FILE = b"%PDF-1.4\n%%EOF\n"


def put(upload):
    """Sends the announced file where the service wants it."""
    request = urllib.request.Request(upload["url"], FILE, upload["headers"], method=upload["method"])
    with urllib.request.urlopen(request) as response:
        return response.status


class Receiver(HTTPServer):
    """Receives one delivery on this machine."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}/"
        self.thread = threading.Thread(target=self.handle_request)
        self.thread.start()

    def event(self, secret):
        """The delivered event, once its signature is verified."""
        self.thread.join()
        signed = hmac.new(secret.encode(), self.headers["x-service-timestamp"].encode() + b"." + self.body, hashlib.sha256)
        if not hmac.compare_digest(signed.hexdigest(), self.headers["x-service-signature"]):
            raise ValueError("The delivery is not signed by this service.")
        return json.loads(self.body)


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        self.server.headers, self.server.body = self.headers, self.rfile.read(int(self.headers["content-length"]))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def verified(jws, keys):
    """The signed payload of a receipt. Raises InvalidSignature for any other."""
    head, payload, signature = jws.split(".")
    (key,) = [key for key in keys if key.kid == json.loads(decode(head))["kid"]]
    x, y = (int.from_bytes(decode(part), "big") for part in (key.x, key.y))
    r, s = (int.from_bytes(part, "big") for part in (decode(signature)[:32], decode(signature)[32:]))
    public = ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()
    public.verify(utils.encode_dss_signature(r, s), f"{head}.{payload}".encode(), ec.ECDSA(hashes.SHA256()))
    return json.loads(decode(payload))
