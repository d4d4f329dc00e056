// Reads deliveries from standard input and writes the results of the Node snippet for each.
import { json } from 'node:stream/consumers';
import { verify, verifyBody } from '../../../examples/webhooks/verify.mjs';

const results = (await json(process.stdin)).map(({ secret, body, headers }) => {
  const bytes = Buffer.from(body, 'base64');
  return { verify: verify(secret, bytes, headers), verify_body: verifyBody(secret, bytes, headers) };
});
console.log(JSON.stringify(results));
