"""Verifies that a webhook request comes from the service. No dependencies except Python 3."""

import base64
import hashlib
import hmac
import re
import time
from collections.abc import Mapping

TOLERANCE_SECONDS = 300


def verify(secret: str, body: bytes, headers: Mapping[str, str]) -> bool:
    """Returns true if the delivery was signed with the secret at most five minutes ago.

    The secret is the string that the API returned (whsec_…). The body has the bytes as they were received, before any
    parsing. The headers are a case-insensitive mapping, like those of Flask, Django, FastAPI and http.server.
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
    """Returns true if the body was signed with the secret at any time. X-Service-Signature covers nothing else."""
    expected = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return is_equal(headers.get("x-service-signature", ""), expected)


def is_equal(actual: str, expected: str) -> bool:
    """Compares in constant time, so that the duration does not reveal how much of a signature is correct."""
    return hmac.compare_digest(actual.encode(), expected.encode())
