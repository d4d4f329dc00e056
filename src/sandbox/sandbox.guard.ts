import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { ServiceRequest } from '../platform/http/index.js';
import { NotFound } from '../platform/errors/index.js';

/** Responds with 404 to requests of workspaces that are not sandboxes. */
@Injectable()
export class SandboxGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (!context.switchToHttp().getRequest<ServiceRequest>().user?.is_sandbox) throw new NotFound();
    return true;
  }
}
