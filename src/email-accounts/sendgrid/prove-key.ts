import {
  callSendgrid,
  type SendgridApi,
  SendgridKeyRefused,
  SendgridUnavailable,
  sendgridWords,
} from './sendgrid-api.js';

const TIMEOUT_MS = 10_000;
const NEEDED = 'mail.send';

/**
 * Asks SendGrid what the key may do (`GET /v3/scopes`), which proves it without sending anything.
 * @throws SendgridKeyRefused when SendGrid does not know the key, or the key may not send mail
 * @throws SendgridUnavailable for every other reason
 */
export async function proveSendgridKey(api: SendgridApi): Promise<void> {
  const answer = await callSendgrid(api, { method: 'GET', path: '/v3/scopes', timeoutMs: TIMEOUT_MS }).catch(
    (cause: unknown) => {
      throw new SendgridUnavailable('SendGrid did not answer', { cause });
    },
  );
  if (answer.status === 401 || answer.status === 403) {
    throw new SendgridKeyRefused(`SendGrid refused the API key: ${sendgridWords(answer)}`);
  }
  if (answer.status !== 200) throw new SendgridUnavailable(`SendGrid answered ${sendgridWords(answer)}`);
  const scopes = scopesOf(answer.body);
  if (scopes.length > 0 && !scopes.includes(NEEDED)) {
    throw new SendgridKeyRefused(`The API key may not send mail: it lacks the permission ${NEEDED}`);
  }
}

function scopesOf(body: unknown): unknown[] {
  if (typeof body !== 'object' || body === null || !('scopes' in body)) return [];
  return Array.isArray(body.scopes) ? body.scopes : [];
}
