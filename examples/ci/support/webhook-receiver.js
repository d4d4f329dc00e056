// An HTTPS server that receives webhooks and verifies their signatures, as the receiver of your product does.
const { createHmac, timingSafeEqual } = require('node:crypto');
const { once } = require('node:events');
const { readFileSync } = require('node:fs');
const { createServer } = require('node:https');
const { join } = require('node:path');
const { buffer } = require('node:stream/consumers');

const TOLERANCE_SECONDS = 300;
/** The folder of certificate.sh, and the host at which the service reaches this process. */
const { TLS_DIR = 'tls', RECEIVER_HOST = '127.0.0.1', RECEIVER_PORT = '0' } = process.env;

/** Returns whether the body was signed with the secret at most five minutes ago. */
function isSigned(secret, body, headers) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  // The timestamp is of the real clock, also in a sandbox whose clock is ahead.
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS)) return false;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const hash = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  const expected = Buffer.from(`v1,${hash}`);
  return signatures
    .split(' ')
    .map((signature) => Buffer.from(signature))
    .some((signature) => signature.length === expected.length && timingSafeEqual(signature, expected));
}

class WebhookReceiver {
  /** The secret of the webhook, which the API shows when the webhook is created. */
  secret = '';
  /** Received events in their order, each delivery once. */
  events = [];
  /** The number of requests with a wrong signature. */
  refused = 0;
  ids = new Set();

  async start() {
    const [cert, key] = ['receiver.pem', 'receiver.key'].map((file) => readFileSync(join(TLS_DIR, file)));
    this.server = createServer({ cert, key }, (request, response) => {
      this.receive(request).then(
        (status) => response.writeHead(status).end(),
        () => response.destroy(),
      );
    });
    this.server.listen(Number(RECEIVER_PORT));
    await once(this.server, 'listening');
    return `https://${RECEIVER_HOST}:${this.server.address().port}/hook`;
  }

  async receive(request) {
    const body = await buffer(request);
    if (!isSigned(this.secret, body, request.headers)) {
      this.refused += 1;
      return 401;
    }
    const id = request.headers['webhook-id'];
    if (!this.ids.has(id)) this.events.push(JSON.parse(body));
    this.ids.add(id);
    return 204;
  }

  /** Returns the data of the received events of one name. */
  dataOf(name) {
    return this.events.filter(({ event }) => event === name).map(({ data }) => data);
  }

  async stop() {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}

module.exports = { WebhookReceiver, isSigned };
