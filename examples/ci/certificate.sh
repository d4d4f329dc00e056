#!/usr/bin/env bash
# Creates a certificate for the receiver of webhooks: certificate.sh FOLDER [HOST]
# The service trusts it by NODE_EXTRA_CA_CERTS=FOLDER/receiver.pem.
set -euo pipefail
names=DNS:localhost,IP:127.0.0.1${2:+,DNS:$2}
mkdir -p "$1"
openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=localhost -addext "subjectAltName=$names" \
  -keyout "$1/receiver.key" -out "$1/receiver.pem" 2>/dev/null
chmod a+r "$1/receiver.key"
