"""Sends each request of Schemathesis with a credential of who may call it, in turns, since writes are limited for each."""
import itertools, os

import schemathesis

TOKENS = {side: itertools.cycle(os.environ[f"{side.upper()}_TOKENS"].split()) for side in ("upstream", "downstream")}


@schemathesis.auth(refresh_interval=None)
class Credential:
    def get(self, case, _):
        if case.operation.path.endswith("/test-oauth"):
            return "Authorization", f"Bearer {os.environ['ACCESS_TOKEN']}"
        return "x-restricted-access-token", next(TOKENS["downstream" if "/downstream/" in case.operation.path else "upstream"])

    def set(self, case, data, _):
        case.headers = {**(case.headers or {}), data[0]: data[1]}
