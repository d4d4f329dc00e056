import { pauseMs, shouldRetryError, shouldRetryResponse } from './retry-policy.js';

/** When and how often a request is sent again. */
export interface RetryOptions {
  /** The largest number of retries of a request; those that find the first attempt still running are not counted. */
  readonly retries: number;
  /** How long a request waits between its attempts, in all. A longer `Retry-After` ends the attempts. */
  readonly maxWaitMs: number;
  /** How long one attempt may take. */
  readonly timeoutMs: number;
  /** Requests whose responses the caller reads as a stream: the timeout ends with their headers. */
  readonly isStreamed: (request: Request) => boolean;
  readonly fetch: typeof globalThis.fetch;
}

type Attempt = { readonly response: Response; readonly isRunning: boolean } | { readonly error: unknown };

/** The reason of the 409 to a request whose `Idempotency-Key` belongs to a request that is still running. */
const STILL_RUNNING = 'idempotency_key_in_use';
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/;
/** Responses with these statuses have no body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Returns a `fetch` that sends a request again when that is safe and promising. It rejects with the reason of the request's
 * signal when that aborts, with a `TimeoutError` if the last attempt took too long, and with the error of the last attempt.
 */
export function retryingFetch(options: RetryOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    // All attempts send the same bytes; a stream could be sent only once.
    const body = request.body ? await request.arrayBuffer() : undefined;
    let waitedMs = 0;
    let failures = 0;
    for (let number = 1; ; number += 1) {
      const attempt = await send(request, body, options);
      const pause = pauseMs(number, retryAfterOf(attempt), Date.now(), Math.random());
      waitedMs += pause;
      if (!isRunning(attempt)) failures += 1;
      const isLast = options.retries === 0 || failures > options.retries || waitedMs > options.maxWaitMs;
      if (isLast || !isRetried(request, attempt)) return result(attempt);
      if ('response' in attempt) await attempt.response.body?.cancel();
      await wait(pause, request.signal);
    }
  };
}

async function send(request: Request, body: ArrayBuffer | undefined, options: RetryOptions): Promise<Attempt> {
  const timeout = new AbortController();
  const expire = () => timeout.abort(new DOMException(`No response within ${options.timeoutMs} ms.`, 'TimeoutError'));
  const timer = setTimeout(expire, options.timeoutMs);
  const signal = AbortSignal.any([request.signal, timeout.signal]);
  try {
    const { fetch } = options;
    const response = await fetch(new Request(request, { signal, ...(body ? { body } : {}) }));
    return await readJson(response, options.isStreamed(request));
  } catch (error) {
    request.signal.throwIfAborted();
    return { error };
  } finally {
    clearTimeout(timer);
  }
}

/** Reads a JSON body as part of the attempt, so that one that breaks off is a failed attempt. */
async function readJson(response: Response, isStreamed: boolean): Promise<Attempt> {
  const isJson = JSON_TYPE.test(response.headers.get('content-type') ?? '');
  if (isStreamed || !isJson || WITHOUT_BODY.has(response.status)) return { response, isRunning: false };
  const text = await response.text();
  const { status, statusText, headers } = response;
  return {
    response: new Response(text, { status, statusText, headers }),
    isRunning: status === 409 && isStillRunning(text),
  };
}

function isStillRunning(text: string): boolean {
  return new RegExp(`"reason":\\s*"${STILL_RUNNING}"`).test(text);
}

function isRetried(request: Request, attempt: Attempt): boolean {
  return 'error' in attempt
    ? shouldRetryError(request, attempt.error)
    : shouldRetryResponse(request, attempt.response.status, attempt.isRunning);
}

/** Whether the first attempt is still running. The result is waited for however often that takes. */
const isRunning = (attempt: Attempt): boolean => 'response' in attempt && attempt.isRunning;

const retryAfterOf = (attempt: Attempt): string | null =>
  'response' in attempt ? attempt.response.headers.get('retry-after') : null;

function result(attempt: Attempt): Response {
  if ('error' in attempt) throw attempt.error;
  return attempt.response;
}

/**
 * Resolves after a time.
 * @throws the reason of the signal as soon as it aborts
 */
export async function wait(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
  signal?.throwIfAborted();
}
