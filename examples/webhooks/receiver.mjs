// A receiver of webhooks on https://127.0.0.1:8443 that shows what it is told:
// WEBHOOK_SECRET=whsec_… node examples/webhooks/receiver.mjs data/receiver.pem data/receiver.key
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers';
import { verify } from './verify.mjs';

const { WEBHOOK_SECRET: secret, PORT: port = '8443' } = process.env;
const [cert, key] = process.argv.slice(2).map((file) => readFileSync(file));
if (!secret || !cert || !key) throw new Error('Needed: WEBHOOK_SECRET, and the files of a certificate and its key.');

/** Deliveries that were taken before. In earnest this is a table with a unique ID, written before the answer. */
const taken = new Set();

async function take(request) {
  const body = await buffer(request);
  if (!verify(secret, body, request.headers)) return 401;
  const id = request.headers['webhook-id'];
  if (!taken.has(id)) setImmediate(work, id, JSON.parse(body));
  taken.add(id);
  return 204;
}

/** What takes long happens after the answer. */
function work(id, { event, data }) {
  console.log(`${id} ${event} ${JSON.stringify(data)}`);
}

const server = createServer({ cert, key }, (request, response) => {
  take(request).then(
    (status) => response.writeHead(status).end(),
    () => response.destroy(),
  );
});
server.listen(Number(port), '127.0.0.1', () => console.log(`receiving webhooks on https://127.0.0.1:${port}`));
