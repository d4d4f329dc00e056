import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { ServiceRequest } from '../platform/http/index.js';
import { NotFound } from '../platform/errors/index.js';

/** Responds with 404 to requests of workspaces that are not sandboxes. */
@Injectable()
export class SandboxGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { scope } = context.switchToHttp().getRequest<ServiceRequest>();
    if (!scope) throw new NotFound();
    if (!(await scope.isSandbox())) throw new NotFound();
    return true;
  }
}
