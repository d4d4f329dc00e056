# Reads deliveries from standard input and writes the results of the Python snippet for each.
import base64
import json
import sys
from email.message import Message
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parents[3] / "examples" / "webhooks"))
from verify import verify, verify_body  # noqa: E402


def verified(delivery):
    body = base64.b64decode(delivery["body"])
    headers = Message()  # The type of the headers in http.server.
    for name, value in delivery["headers"].items():
        headers[name.title()] = value
    return {
        "verify": verify(delivery["secret"], body, headers),
        "verify_body": verify_body(delivery["secret"], body, headers),
    }


print(json.dumps([verified(delivery) for delivery in json.load(sys.stdin)]))
