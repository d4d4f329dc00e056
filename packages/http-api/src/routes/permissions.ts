import { type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';

/**
 * The areas that permissions are about, as the keys of this interface. The module that issues tokens declares them by
 * declaration merging: `declare module '@outreach/http-api/routes' { interface PermissionAreas { contacts: true } }`
 */
export interface PermissionAreas {}

/** What a token may do. Reading and writing do not imply each other. */
export type Permission = `${keyof PermissionAreas}:${'read' | 'write'}`;

/** Metadata key of the permission that a route requires. */
export const REQUIRED_PERMISSION = Symbol('required permission');
/** Metadata key of routes that need no token. */
export const PUBLIC_ROUTE = Symbol('public');

/** The permission that the token needs. Every route declares one, or {@link AnyToken}, or {@link PublicRoute}. */
export const RequirePermission = (permission: Permission) => SetMetadata(REQUIRED_PERMISSION, permission);

/** A route that any valid token may call. */
export const AnyToken = () => SetMetadata(REQUIRED_PERMISSION, 'any');

/** A route that needs no token. */
export const PublicRoute = () => SetMetadata(PUBLIC_ROUTE, true);

/** Whether the route of a request needs no token. */
export const isPublicRoute = (reflector: Reflector, context: ExecutionContext): boolean =>
  reflector.getAllAndOverride<boolean | undefined>(PUBLIC_ROUTE, [context.getHandler(), context.getClass()]) ?? false;
