#!/usr/bin/env bash
# Creates a sandbox workspace and prints a token of it: token.sh NAME
# OUTREACH is the command of the service. The token has no end, because that would go by the sandbox's clock.
set -euo pipefail
field() { node -p "JSON.parse(require('fs').readFileSync(0, 'utf8')).$1"; }
workspace=$(${OUTREACH:-outreach} workspace create --name "$1" --sandbox --json | field id)
${OUTREACH:-outreach} token create --workspace "$workspace" --name "$1" --json | field token
