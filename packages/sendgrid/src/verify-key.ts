import {
  callSendgrid,
  type SendgridApi,
  SendgridKeyRefused,
  SendgridUnavailable,
  sendgridReplyText,
} from './sendgrid-api.js';

const TIMEOUT_MS = 10_000;
const NEEDED = 'mail.send';

/**
 * Verifies an API key by reading its permissions (`GET /v3/scopes`), without sending anything.
 * @throws SendgridKeyRefused if SendGrid does not know the key, or the key may not send mail
 * @throws SendgridUnavailable for every other reason
 */
export async function verifySendgridKey(api: SendgridApi): Promise<void> {
  const response = await callSendgrid(api, { method: 'GET', path: '/v3/scopes', timeoutMs: TIMEOUT_MS }).catch(
    (cause: unknown) => {
      throw cause instanceof SendgridUnavailable
        ? cause
        : new SendgridUnavailable('SendGrid did not respond', { cause });
    },
  );
  if (response.status === 401 || response.status === 403) {
    throw new SendgridKeyRefused(`SendGrid refused the API key: ${sendgridReplyText(response)}`);
  }
  if (response.status !== 200) throw new SendgridUnavailable(`SendGrid responded with ${sendgridReplyText(response)}`);
  const scopes = scopesOf(response.body);
  if (scopes.length > 0 && !scopes.includes(NEEDED)) {
    throw new SendgridKeyRefused(`The API key may not send mail: it lacks the permission ${NEEDED}`);
  }
}

function scopesOf(body: unknown): unknown[] {
  if (typeof body !== 'object' || body === null || !('scopes' in body)) return [];
  return Array.isArray(body.scopes) ? body.scopes : [];
}
