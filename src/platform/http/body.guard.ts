import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { type NonJsonBodies, readBody } from './body.js';
import { isPublicRoute } from './permissions.js';

/** Injection token of the {@link NonJsonBodies}. */
export const NON_JSON_BODIES = Symbol('non-JSON bodies');

/**
 * Reads the body of a request that the guards before this one have accepted: the body of a request without a valid
 * token stays unread. Public routes take no JSON: those that take other bodies read them themselves, the others none.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  constructor(
    @Inject(NON_JSON_BODIES) private readonly nonJsonBodies: NonJsonBodies,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const takesNone =
      isPublicRoute(this.reflector, context) && !this.nonJsonBodies.some(({ path }) => path.test(request.path));
    if (!takesNone) await readBody(request, http.getResponse<Response>(), this.nonJsonBodies);
    return true;
  }
}
