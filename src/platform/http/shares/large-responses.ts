import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { MemoryQueue } from '@outreach/concurrency';
import { MEGABYTE } from '@outreach/http-api/body';
import { LARGE_RESPONSE, type LargeRows } from '@outreach/http-api/responses';
import { closeSignal } from '@outreach/http-api/requests';
import { Busy } from '../../errors/index.js';
import type { ServiceRequest } from '../requests/index.js';

/** How much of a workspace's large responses this process has in memory, what their clients have not read included. */
const MAX_BYTES_PER_WORKSPACE = 80 * MEGABYTE;
/** What a response reserves at most until it is written: none of this size starts beside it, but a page of a list does. */
const MAX_RESERVED_BYTES = 50 * MEGABYTE;
const MAX_WAITING_PER_WORKSPACE = 200;
const WAIT_LIMIT = { milliseconds: 30_000, error: () => new Busy() };

const DEFAULT_ROWS = 25;
const MAX_ROWS = 100;

/**
 * Limits how much memory the large responses of a workspace occupy, until their clients have read them. Runs before the
 * guard of the shared places: a workspace whose clients read nothing occupies no place with requests that wait here.
 */
@Injectable()
export class LargeResponseGuard implements CanActivate {
  private readonly responses = new MemoryQueue({
    bytesPerKey: MAX_BYTES_PER_WORKSPACE,
    waiting: { perKey: MAX_WAITING_PER_WORKSPACE, error: WAIT_LIMIT.error },
  });

  constructor(private readonly reflector: Reflector) {}

  /** @throws Busy if too many large responses of the workspace are waiting, or after half a minute */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const declared = this.reflector.get<LargeRows | undefined>(LARGE_RESPONSE, context.getHandler());
    const http = context.switchToHttp();
    const request = http.getRequest<ServiceRequest>();
    if (!declared || !request.user) return true;
    const response = http.getResponse<Response>();
    const rows = declared.rows ?? requestedRows(request.query.per_page);
    const expected = Math.min(declared.rowBytes * rows, MAX_RESERVED_BYTES);
    const use = (): number => (response.writableEnded ? response.writableLength : expected);
    const { workspace_id } = request.user;
    const release = this.responses.tryAcquire(workspace_id, use);
    if (release) return keep(release, response);
    return this.responses
      .acquire(workspace_id, use, closeSignal(response), WAIT_LIMIT)
      .then((acquired) => keep(acquired, response));
  }
}

/** Keeps the memory until the response has been read. @returns true */
function keep(release: () => void, response: Response): boolean {
  if (response.closed) release();
  else response.once('close', release);
  return true;
}

/** The parameter is not validated yet. */
function requestedRows(perPage: unknown): number {
  if (perPage === undefined) return DEFAULT_ROWS;
  const rows = Number(perPage);
  return rows >= 1 && rows <= MAX_ROWS ? rows : MAX_ROWS;
}
