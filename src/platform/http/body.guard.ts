import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type NonJsonBodies, readBody } from './body.js';

/** Injection token of the {@link NonJsonBodies}. */
export const NON_JSON_BODIES = Symbol('non-JSON bodies');

/**
 * Reads the body of a request that the guards before this one have accepted: the body of a request without a valid
 * token stays unread.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  constructor(@Inject(NON_JSON_BODIES) private readonly nonJsonBodies: NonJsonBodies) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    await readBody(http.getRequest<Request>(), http.getResponse<Response>(), this.nonJsonBodies);
    return true;
  }
}
