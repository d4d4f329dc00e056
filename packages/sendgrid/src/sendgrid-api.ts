import { configuredFetch, ConnectionFailed } from '@outreach/egress';
import { hideSecrets, LoginRefused, ProviderUnavailable } from '@outreach/mail-sessions';

/** The status with which SendGrid accepts an email. */
export const ACCEPTED = 202;

/** Shorter than a run that sends, which reports that SendGrid is not reachable. */
const fetchFromSendgrid = configuredFetch(4_000);

/** SendGrid's API and the key to it. */
export interface SendgridApi {
  /** Without a slash at the end, e.g. `https://api.sendgrid.com`. */
  readonly base_url: string;
  readonly api_key: string;
}

/** SendGrid refuses the key, or the key lacks a permission. */
export class SendgridKeyRefused extends LoginRefused {
  override readonly name = 'SendgridKeyRefused';
}

/** SendGrid is not reachable, so that nothing was sent to it, or responds with an error that is not about the key. */
export class SendgridUnavailable extends ProviderUnavailable {
  override readonly name = 'SendgridUnavailable';
}

/** A response. The key is removed from the body. */
export interface SendgridResponse {
  readonly status: number;
  /** `x-message-id`, with which SendGrid accepts an email. */
  readonly message_id: string | null;
  readonly body: unknown;
}

interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
  /** Milliseconds from the lookup of the host to the end of the response. */
  readonly timeoutMs: number;
}

/**
 * Calls the API.
 * @throws SendgridUnavailable if there is no connection, so that nothing was sent; what `fetch` throws for every other reason
 */
export async function callSendgrid(api: SendgridApi, call: Call): Promise<SendgridResponse> {
  try {
    return await exchange(api, call);
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    if (!(cause instanceof ConnectionFailed)) throw error;
    throw new SendgridUnavailable(`SendGrid is not reachable. ${cause.message}.`, { cause });
  }
}

async function exchange(
  { base_url: baseUrl, api_key: apiKey }: SendgridApi,
  { method, path, body, timeoutMs }: Call,
): Promise<SendgridResponse> {
  const response = await fetchFromSendgrid(`${baseUrl}${path}`, {
    method,
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      authorization: `Bearer ${apiKey}`,
      accept: 'application/json',
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = hideSecrets(await textOf(response), [apiKey]);
  return { status: response.status, message_id: response.headers.get('x-message-id'), body: parsed(text) };
}

/** Longer than each error that SendGrid documents. */
const MAX_BODY_BYTES = 65_536;

/**
 * Returns the beginning of the body, as far as it has come when the time is up. The status decides what the response means: one
 * that accepts an email is not read, so that nothing behind it makes that uncertain.
 */
async function textOf({ status, body }: Response): Promise<string> {
  if (body === null) return '';
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  try {
    while (status !== ACCEPTED && length < MAX_BODY_BYTES) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      length += value.length;
    }
  } catch {
    // What has come before counts.
  }
  reader.cancel().catch(() => undefined);
  return Buffer.concat(chunks).toString('utf8');
}

/** Returns the status, followed by the messages of `{ errors: [{ message }] }` if there are any. */
export function sendgridReplyText({ status, body }: SendgridResponse): string {
  const messages = errorsOf(body).flatMap((error) => (hasMessage(error) ? [error.message] : []));
  return `${status} ${messages.join(' ')}`.trim().slice(0, MAX_REPLY_LENGTH);
}

const MAX_REPLY_LENGTH = 500;

function errorsOf(body: unknown): unknown[] {
  if (typeof body !== 'object' || body === null || !('errors' in body)) return [];
  return Array.isArray(body.errors) ? body.errors : [];
}

const hasMessage = (error: unknown): error is { message: string } =>
  typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
