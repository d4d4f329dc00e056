/** Statuses that the service or a proxy before it sends when it cannot serve a request now. */
const UNAVAILABLE: ReadonlySet<number> = new Set([502, 503, 504]);
const TOO_MANY_REQUESTS = 429;
const CONFLICT = 409;
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Error codes of connections that did not come about, so that no request was sent. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 20_000;

/** Whether a request may be sent again although the first attempt may have been carried out: a read, or one with a key. */
export const isRepeatable = (request: Request): boolean =>
  READS.has(request.method) || request.headers.has('idempotency-key');

/**
 * Whether a response is worth another attempt. The service sends 429 before it changes anything, so that every request may
 * be sent again; after a 503 the change may have been stored.
 * @param isRunning whether the body says that the first request with the same `Idempotency-Key` is still running
 */
export function shouldRetryResponse(request: Request, status: number, isRunning: boolean): boolean {
  if (status === TOO_MANY_REQUESTS) return true;
  return isRepeatable(request) && (UNAVAILABLE.has(status) || (status === CONFLICT && isRunning));
}

/** Whether an error of `fetch` is worth another attempt. */
export function shouldRetryError(request: Request, error: unknown): boolean {
  return isRepeatable(request) || NOT_CONNECTED.has(codeOf(error));
}

/**
 * Returns the pause before a retry in milliseconds: what `Retry-After` asks for and at most a quarter more, so that clients
 * do not come back together; without it, between half and all of 0.5, 1, 2 … 20 seconds.
 * @param attempt the number of the attempt that failed, from 1
 * @param random from 0 to 1
 */
export function pauseMs(attempt: number, retryAfter: string | null, now: number, random: number): number {
  const asked = retryAfterMs(retryAfter, now);
  if (asked !== undefined) return asked + Math.min(asked, FIRST_PAUSE_MS * 4) * 0.25 * random;
  return Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1)) * (0.5 + random / 2);
}

/** Returns the milliseconds of a `Retry-After` header (RFC 9110, 10.2.3): seconds, or a date. */
export function retryAfterMs(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1000;
  // Date.parse takes almost anything, "-1" too.
  const date = /^[A-Z][a-z]{2}/.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : '';
}
