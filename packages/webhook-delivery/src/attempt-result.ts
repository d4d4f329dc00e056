import type { PostResult } from '@outreach/egress';

/** The result of one attempt, as the log shows it. */
export interface AttemptResult {
  /** 0 if the endpoint was not reached. */
  readonly status_code: number;
  readonly success: boolean;
  /** The beginning of the response body, or the reason why there is no response. */
  readonly response: string;
  /** Seconds that the receiver asks us to wait. */
  readonly retry_after?: number;
}

/** Characters of a response that are logged. */
const MAX_RESPONSE_LENGTH = 2000;
const RETRY_AFTER_STATUSES = [429, 503];

/**
 * A 2xx status in time is a success, also if the body goes on after the limits. A redirect is a
 * failure, and so is a response that is late or cut off.
 */
export function attemptResult(posted: PostResult, now: Date): AttemptResult {
  if (posted.kind === 'failed') return { status_code: 0, success: false, response: posted.reason };
  const { status, complete, body, headers } = posted;
  const wait = RETRY_AFTER_STATUSES.includes(status) ? secondsUntil(headers.retry_after, now) : undefined;
  return {
    status_code: status,
    success: complete && status >= 200 && status <= 299,
    response: truncated(complete ? body : `The response was incomplete. ${body}`),
    ...(wait === undefined ? {} : { retry_after: wait }),
  };
}

/** Counts code points, so that no surrogate pair is split. */
const truncated = (text: string): string =>
  [...text.slice(0, 2 * MAX_RESPONSE_LENGTH)].slice(0, MAX_RESPONSE_LENGTH).join('');

/** `Retry-After` (RFC 9110, 10.2.3) is a number of seconds or a date. */
function secondsUntil(value: string | undefined, now: Date): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max((at - now.getTime()) / 1000, 0);
}
