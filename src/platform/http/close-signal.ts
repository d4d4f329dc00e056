import type { Response } from 'express';
import { BadRequest } from '../errors/index.js';

/** @returns a signal that is aborted when the connection of a response closes, for what waits before the response */
export function closeSignal(response: Response): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => controller.abort(new BadRequest(400, 'The client closed the connection.'));
  if (response.closed) abort();
  else response.once('close', abort);
  return controller.signal;
}
