#!/usr/bin/env bash
# Starts the service on the database of DATABASE_URL, runs the suite in a new sandbox workspace, and ends the service.
# OUTREACH is the command of the service, PORT its port.
set -euo pipefail
cd "$(dirname "$0")"
: "${DATABASE_URL:?set DATABASE_URL, the address of a PostgreSQL database}"

TLS_DIR=$(mktemp -d)
export TLS_DIR PORT=${PORT:-3000}
export ENCRYPTION_KEY=${ENCRYPTION_KEY:-only the databases of tests have this key}
export OUTREACH_URL=http://localhost:$PORT PUBLIC_URL=http://localhost:$PORT
./certificate.sh "$TLS_DIR"

# The webhooks of the suite go to 127.0.0.1, which is refused unless it is allowed.
EGRESS_ALLOWED_CIDRS=127.0.0.0/8 NODE_EXTRA_CA_CERTS=$TLS_DIR/receiver.pem \
  ${OUTREACH:-outreach} serve >"$TLS_DIR/service.log" 2>&1 &
service=$!
finish() {
  status=$?
  kill "$service" 2>/dev/null || true
  wait "$service" || true
  [ "$status" -eq 0 ] || cat "$TLS_DIR/service.log"
  rm -r "$TLS_DIR"
}
trap finish EXIT

for _ in $(seq 120); do
  curl --silent --fail --output /dev/null "$OUTREACH_URL/health/live" && break
  kill -0 "$service"
  sleep 0.5
done

OUTREACH_TOKEN=$(./token.sh "${JOB_NAME:-e2e}")
export OUTREACH_TOKEN
npm test
