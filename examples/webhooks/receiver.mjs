// A webhook receiver on https://127.0.0.1:8443 that prints the events:
// WEBHOOK_SECRET=whsec_… node examples/webhooks/receiver.mjs data/receiver.pem data/receiver.key
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers';
import { verify } from './verify.mjs';

const { WEBHOOK_SECRET: secret, PORT: port = '8443' } = process.env;
const [cert, key] = process.argv.slice(2).map((file) => readFileSync(file));
if (!secret || !cert || !key) throw new Error('Required: WEBHOOK_SECRET, and the files of a certificate and its key as arguments.');

/** IDs of received deliveries. In production, use a table with a unique constraint, and insert before responding. */
const received = new Set();

async function receive(request) {
  const body = await buffer(request);
  if (!verify(secret, body, request.headers)) return 401;
  const id = request.headers['webhook-id'];
  if (!received.has(id)) setImmediate(handle, id, JSON.parse(body));
  received.add(id);
  return 204;
}

/** Runs after the response, so it may take longer. */
function handle(id, { event, data }) {
  console.log(`${id} ${event} ${JSON.stringify(data)}`);
}

const server = createServer({ cert, key }, (request, response) => {
  receive(request).then(
    (status) => response.writeHead(status).end(),
    () => response.destroy(),
  );
});
server.listen(Number(port), '127.0.0.1', () => console.log(`receiving webhooks on https://127.0.0.1:${port}`));
