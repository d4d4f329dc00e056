import { type ErrorResponse, responseTo } from '@outreach/http-api/error-responses';
import { ServiceUnavailable } from '@outreach/http-errors';
import { DatabaseUnavailable, StatementTimedOut } from '../../database/index.js';
import { Busy } from '../../errors/index.js';
import { TemporaryFolderUnusable } from '../../temporary-files/index.js';

/** Returns the response to anything that was thrown, also by the mechanisms of the platform. */
export const errorResponse = (thrown: unknown): ErrorResponse => responseTo(forClients(thrown));

function forClients(thrown: unknown): unknown {
  if (thrown instanceof StatementTimedOut) return new Busy();
  const isUnavailable = thrown instanceof DatabaseUnavailable || thrown instanceof TemporaryFolderUnusable;
  return isUnavailable ? new ServiceUnavailable() : thrown;
}
