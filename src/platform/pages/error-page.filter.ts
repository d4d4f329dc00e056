import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { errorResponse } from '../http/index.js';
import { Log } from '../logging/index.js';
import type { PageHeaders } from './page-headers.js';

/** A page that says what went wrong. */
export interface ErrorPage {
  readonly headers: PageHeaders;
  readonly html: string;
}

/** Answers errors to people: with their status, as a page. Those that are our fault are logged. */
@Catch()
export abstract class ErrorPageFilter implements ExceptionFilter {
  constructor(private readonly log: Log) {}

  /** What to say to whoever sent the request. */
  protected abstract page(status: number, request: Request): ErrorPage;

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const { status } = errorResponse(thrown);
    if (status >= 500) this.log.error('request failed', { error: thrown });
    const { headers, html } = this.page(status, http.getRequest<Request>());
    http.getResponse<Response>().status(status).set(headers).send(html);
  }
}
