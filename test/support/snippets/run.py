# Reads claims from standard input, and writes what the snippet for Python says of each.
import base64
import json
import sys
from email.message import Message
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parents[3] / "examples" / "webhooks"))
from verify import verify, verify_body  # noqa: E402


def judged(claim):
    body = base64.b64decode(claim["body"])
    headers = Message()  # What http.server gives.
    for name, value in claim["headers"].items():
        headers[name.title()] = value
    return {
        "verify": verify(claim["secret"], body, headers),
        "verify_body": verify_body(claim["secret"], body, headers),
    }


print(json.dumps([judged(claim) for claim in json.load(sys.stdin)]))
