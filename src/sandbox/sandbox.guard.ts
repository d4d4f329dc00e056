import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { NotFound } from '@outreach/http-errors';
import type { ServiceRequest } from '../platform/http/requests/index.js';

const SANDBOX_ONLY = Symbol('sandbox only');

/** The routes of a controller exist in sandbox workspaces only. */
export const SandboxOnly = (): ClassDecorator => SetMetadata(SANDBOX_ONLY, true);

/** Responds with 404 to requests of other workspaces, whatever their tokens may do. */
@Injectable()
export class SandboxGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    if (!this.reflector.get<true | undefined>(SANDBOX_ONLY, context.getClass())) return true;
    if (!context.switchToHttp().getRequest<ServiceRequest>().user?.is_sandbox) throw new NotFound();
    return true;
  }
}
