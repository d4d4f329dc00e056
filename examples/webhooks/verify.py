"""Says whether a webhook comes from the service. Python 3 alone, no dependencies."""

import base64
import hashlib
import hmac
import re
import time
from collections.abc import Mapping

TOLERANCE_SECONDS = 300


def verify(secret: str, body: bytes, headers: Mapping[str, str]) -> bool:
    """True for a delivery that was signed with the secret, not longer ago than five minutes.

    The secret is as it was shown (whsec_…), the body as it came, before anything has parsed it. Names of headers are
    found in any case, as in the headers of Flask, Django, FastAPI and http.server.
    """
    timestamp = headers.get("webhook-timestamp", "")
    if not re.fullmatch("[0-9]{1,12}", timestamp) or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers.get('webhook-id', '')}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
    signatures = headers.get("webhook-signature", "").split(" ")
    return any(is_equal(signature, expected) for signature in signatures)


def verify_body(secret: str, body: bytes, headers: Mapping[str, str]) -> bool:
    """True for a body that was signed with the secret, whenever that was: nothing else is in X-Service-Signature."""
    expected = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return is_equal(headers.get("x-service-signature", ""), expected)


def is_equal(given: str, expected: str) -> bool:
    """In constant time: how long it takes says nothing about how much is right."""
    return hmac.compare_digest(given.encode(), expected.encode())
