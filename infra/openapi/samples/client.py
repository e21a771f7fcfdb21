# Python 3.9 or later; pip install cryptography
import base64, hashlib, hmac, http.client, json, os, random, time, urllib.error, urllib.request, uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

BASE_URL = os.environ["BASE_URL"]


def send(method, path, body=None, token=None, attempts=6):
    """Sends a request, and again while that can help; a write has one idempotency key for all attempts."""
    headers = {"content-type": "application/json"}
    if token:
        headers["authorization"] = f"Bearer {token}"
    if token and method != "GET":
        headers["idempotency-key"] = str(uuid.uuid4())
    data = None if body is None else json.dumps(body).encode()
    for attempt in range(1, attempts + 1):
        request = urllib.request.Request(BASE_URL + path, data, headers, method=method)
        wait = min(2**attempt, 60) * random.uniform(0.5, 1)
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            retry_after = error.headers.get("retry-after")
            if attempt == attempts or not (retry_after or error.code >= 500):
                raise RuntimeError(error.read().decode()) from error
            wait = int(retry_after or 0) + wait
        except (OSError, http.client.HTTPException):  # Was it executed? With the same key it is executed once.
            if attempt == attempts:
                raise
        time.sleep(wait)


def access_token():
    """A token, valid for `expiresIn` seconds: share it."""
    credentials = {"clientId": os.environ["CLIENT_ID"], "clientSecret": os.environ["CLIENT_SECRET"]}
    return send("POST", "/v2/auth/jwt", credentials)["data"]["accessToken"]


def may_sell(token, npn, product_code, state_code):
    """One check, with a signed receipt."""
    check = {"seller": {"npn": npn}, "product": {"productCode": product_code}, "stateCode": state_code}
    return send("POST", "/v2/upstream/sale-checks", {"checks": [check], "receipt": True}, token)["data"]


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def verify_receipt(jws):
    """The signed payload. Raises InvalidSignature for any other."""
    head, payload, signature = jws.split(".")
    kid = json.loads(decode(head))["kid"]
    (key,) = [key for key in send("GET", "/v2/jwks.json")["keys"] if key["kid"] == kid]
    x, y = (int.from_bytes(decode(key[name]), "big") for name in "xy")
    r, s = (int.from_bytes(part, "big") for part in (decode(signature)[:32], decode(signature)[32:]))
    public = ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()
    public.verify(utils.encode_dss_signature(r, s), f"{head}.{payload}".encode(), ec.ECDSA(hashes.SHA256()))
    return json.loads(decode(payload))


def is_genuine(headers, body):
    """Whether this service sent a delivery within the last minutes. For a day after a rotation it has a signature of each secret."""
    event, timestamp, signatures = (headers[f"webhook-{name}"] or "" for name in ("id", "timestamp", "signature"))
    key = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
    signed = hmac.new(key, f"{event}.{timestamp}.".encode(errors="replace") + body, hashlib.sha256)
    own = b"v1," + base64.b64encode(signed.digest())
    is_ours = any(hmac.compare_digest(own, given.encode(errors="replace")) for given in signatures.split(" "))
    return is_ours and timestamp.isdecimal() and abs(time.time() - int(timestamp)) < 300


class Receiver(BaseHTTPRequestHandler):
    timeout = 10  # Seconds for which a sender may be silent.

    def do_POST(self):
        body = self.rfile.read(min(int(self.headers["content-length"] or 0), 2**20))
        genuine = is_genuine(self.headers, body)
        self.send_response(204 if genuine else 401)
        self.end_headers()
        if genuine:  # Keep the event first, then work on it; drop an eventId that is known.
            print(json.loads(body)["webhookType"], flush=True)


if __name__ == "__main__":
    answer = may_sell(access_token(), "8123456", "CGL", "TX")
    print(answer["checks"][0]["answer"], verify_receipt(answer["jws"])["receiptId"], flush=True)
    ThreadingHTTPServer(("", int(os.environ.get("PORT", "8080"))), Receiver).serve_forever()
