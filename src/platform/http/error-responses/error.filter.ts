import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import { Log } from '@outreach/logging';
import { DatabaseUnavailable } from '@outreach/database';
import { MethodNotAllowed, TooManyRequests, Unauthorized } from '@outreach/http-errors';
import { requestFields } from '@outreach/http-api/requests';
import { errorResponse } from './error-response.js';

/** `Retry-After` of a 503. */
const RETRY_AFTER_SECONDS = 1;

/** Responds to every error with the error envelope, and logs those of status 500 and above. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly log: Log) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    const { status, body } = errorResponse(thrown);
    if (thrown instanceof DatabaseUnavailable)
      this.log.warn('request failed', { ...requestFields(response), reason: thrown.message });
    else if (status >= 500) this.log.error('request failed', { ...requestFields(response), error: thrown });
    if (response.headersSent) {
      response.destroy();
      return;
    }
    // The record's tag is set before the commit, which can fail.
    response.removeHeader('ETag');
    if (thrown instanceof MethodNotAllowed) response.setHeader('Allow', thrown.allow.join(', '));
    if (thrown instanceof Unauthorized) response.setHeader('WWW-Authenticate', 'Bearer');
    const lacksRetryAfter = (status === 429 || status === 503) && !response.hasHeader('Retry-After');
    const seconds = thrown instanceof TooManyRequests ? thrown.retry_after_seconds : RETRY_AFTER_SECONDS;
    if (lacksRetryAfter) response.setHeader('Retry-After', seconds);
    response.status(status).json(body);
  }
}
