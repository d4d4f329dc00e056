import type { PostResult } from '../../platform/egress/index.js';

/** What came of one attempt, as its log shows it. */
export interface AttemptResult {
  /** 0 where the endpoint was not reached. */
  readonly status_code: number;
  readonly success: boolean;
  /** The beginning of the answer's body, or why there is none. */
  readonly response: string;
  /** Seconds that the receiver asks us to wait. */
  readonly retry_after?: number;
}

/** Characters of an answer that are kept (API v1, "Webhook delivery log"). */
const MAX_RESPONSE_LENGTH = 2000;
const RETRY_AFTER_STATUSES = [429, 503];

/** Only a complete 2xx is a success: a redirect is not, nor an answer that took too long or was cut. */
export function resultOf(outcome: PostResult, now: Date): AttemptResult {
  if (outcome.kind === 'failed') return { status_code: 0, success: false, response: outcome.reason };
  const { status, complete, body, headers } = outcome;
  const wait = RETRY_AFTER_STATUSES.includes(status) ? secondsUntil(headers.retry_after, now) : undefined;
  return {
    status_code: status,
    success: complete && status >= 200 && status <= 299,
    response: truncated(complete ? body : `The answer did not come to its end. ${body}`),
    ...(wait === undefined ? {} : { retry_after: wait }),
  };
}

const truncated = (text: string): string =>
  [...text.slice(0, 2 * MAX_RESPONSE_LENGTH)].slice(0, MAX_RESPONSE_LENGTH).join('');

/** A `Retry-After` (RFC 9110, 10.2.3): seconds, or a date. */
function secondsUntil(value: string | undefined, now: Date): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max((at - now.getTime()) / 1000, 0);
}
