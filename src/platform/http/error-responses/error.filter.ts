import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { MESSAGE_PAGE_HEADERS } from '@outreach/html-pages';
import { Log } from '@outreach/logging';
import { DatabaseUnavailable } from '@outreach/database';
import { MethodNotAllowed, TooManyRequests, Unauthorized, UnknownPath } from '@outreach/http-errors';
import { requestFields } from '@outreach/http-api/requests';
import { errorResponse } from './error-response.js';
import { unknownPathPage } from './unknown-path.page.js';

/** `Retry-After` of a 503. */
const RETRY_AFTER_SECONDS = 1;

/**
 * Responds to every error with the error envelope, and logs those of status 500 and above. A browser that opens an unknown path
 * gets a page.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly log: Log) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const response = http.getResponse<Response>();
    const { status, body } = errorResponse(thrown);
    if (thrown instanceof DatabaseUnavailable)
      this.log.warn('request failed', { ...requestFields(response), reason: thrown.message });
    else if (status >= 500) this.log.error('request failed', { ...requestFields(response), error: thrown });
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (thrown instanceof UnknownPath) {
      response.vary('Accept');
      if (prefersHtml(http.getRequest<Request>())) return sendPage(thrown, http.getRequest<Request>(), response);
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

/** Programs that accept anything, or name no type, get JSON. */
const prefersHtml = (request: Request): boolean => request.accepts(['json', 'html']) === 'html';

function sendPage({ status, similar }: UnknownPath, { path }: Request, response: Response): void {
  const headers = { ...MESSAGE_PAGE_HEADERS, Vary: 'Accept' };
  response.status(status).set(headers).send(unknownPathPage(path, similar));
}
