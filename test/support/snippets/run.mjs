// Reads claims from standard input, and writes what the snippet for Node says of each.
import { json } from 'node:stream/consumers';
import { verify, verifyBody } from '../../../examples/webhooks/verify.mjs';

const verdicts = (await json(process.stdin)).map(({ secret, body, headers }) => {
  const bytes = Buffer.from(body, 'base64');
  return { verify: verify(secret, bytes, headers), verify_body: verifyBody(secret, bytes, headers) };
});
console.log(JSON.stringify(verdicts));
