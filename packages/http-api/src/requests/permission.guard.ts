import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { PermissionMissing } from '@outreach/http-errors';
import { isPublicRoute, type Permission, REQUIRED_PERMISSION } from '../routes/index.js';
import type { ApiRequest } from './request.js';

/** Responds with 403 if the token lacks the permission of the route. */
@Injectable()
export class PermissionGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    if (isPublicRoute(this.reflector, context)) return true;
    const targets = [context.getHandler(), context.getClass()];
    const required = this.reflector.getAllAndOverride<Permission | 'any' | undefined>(REQUIRED_PERMISSION, targets);
    if (!required) throw new Error('The route declares no permission.');
    const { user } = context.switchToHttp().getRequest<ApiRequest>();
    if (required === 'any' || user?.permissions.includes(required)) return true;
    throw new PermissionMissing(required);
  }
}
