// An HTTPS server that takes everything and says how much came, and how long it took from the event until here. One path is
// dead: it is never answered.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';

const DEAD = '/dead';
const fixture = (file) => readFileSync(new URL(`../../test/support/tls/${file}`, import.meta.url));

let taken = 0;
let times = [];
const server = createServer({ key: fixture('server.key'), cert: fixture('server.pem') }, (request, response) => {
  if (request.url === DEAD) return request.resume();
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    taken++;
    if (request.url.startsWith('/timed')) times.push(Date.now() - createdAt(Buffer.concat(chunks)));
    response.end();
  });
});
const createdAt = (body) => Date.parse(JSON.parse(body.toString()).data.created_at);

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('message', () => {
  process.send({ taken, times });
  times = [];
});
process.on('disconnect', () => process.exit());
