import type { Response } from 'express';
import { TooManyRequests } from '@outreach/http-errors';

/**
 * @returns a signal that is aborted when the connection of a response closes, for what waits. Its error is not sent,
 *   but that status is not stored for an `Idempotency-Key`.
 */
export function closeSignal(response: Response): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => controller.abort(new TooManyRequests());
  if (response.closed) abort();
  else response.once('close', abort);
  return controller.signal;
}
