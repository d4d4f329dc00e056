import type { PageHeaders } from '@outreach/html-pages';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Log } from '@outreach/logging';
import { requestFields } from '@outreach/http-api/requests';
import { errorResponse } from '../http/error-responses/index.js';

/** The HTML page of an error. */
export interface ErrorPage {
  readonly headers: PageHeaders;
  readonly html: string;
}

/** Responds to errors with a page for people, and logs errors of status 500 and above. */
@Catch()
export abstract class ErrorPageFilter implements ExceptionFilter {
  constructor(private readonly log: Log) {}

  /** Returns the page for a status. */
  protected abstract page(status: number, request: Request): ErrorPage;

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const { status } = errorResponse(thrown);
    const response = http.getResponse<Response>();
    if (status >= 500) this.log.error('request failed', { ...requestFields(response), error: thrown });
    const { headers, html } = this.page(status, http.getRequest<Request>());
    response.status(status).set(headers).send(html);
  }
}
