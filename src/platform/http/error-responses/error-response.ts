import { DatabaseUnavailable, StatementTimedOut } from '@outreach/database';
import { TemporaryFolderUnusable } from '@outreach/temporary-files';
import { Busy } from '../../errors/index.js';
import { type ErrorResponse, responseTo } from '@outreach/http-api/error-responses';
import { ServiceUnavailable } from '@outreach/http-errors';

/** Returns the response to anything that was thrown, also by the mechanisms of the platform. */
export const errorResponse = (thrown: unknown): ErrorResponse => responseTo(forClients(thrown));

function forClients(thrown: unknown): unknown {
  if (thrown instanceof StatementTimedOut) return new Busy();
  const isUnavailable = thrown instanceof DatabaseUnavailable || thrown instanceof TemporaryFolderUnusable;
  return isUnavailable ? new ServiceUnavailable() : thrown;
}
