import { type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';

/** The areas of API v1, "Authentication"; lists, tags, companies and custom fields belong to `contacts`. */
export const AREAS = [
  'contacts',
  'segments',
  'templates',
  'email_accounts',
  'campaigns',
  'webhooks',
  'blacklist',
  'tokens',
] as const;

/** What a token may do. Reading and writing do not imply each other. */
export type Permission = `${(typeof AREAS)[number]}:${'read' | 'write'}`;

export const PERMISSIONS: readonly Permission[] = AREAS.flatMap((area): Permission[] => [
  `${area}:read`,
  `${area}:write`,
]);

export const REQUIRED_PERMISSION = Symbol('required permission');
export const PUBLIC_ROUTE = Symbol('public');

/** Whether a value is the name of a permission. */
export const isPermission = (value: unknown): value is Permission => PERMISSIONS.some((each) => each === value);

/** The permission that a route asks of the token. Every route declares one, or {@link AnyToken}, or {@link PublicRoute}. */
export const RequirePermission = (permission: Permission) => SetMetadata(REQUIRED_PERMISSION, permission);

/** A route that any valid token may call. */
export const AnyToken = () => SetMetadata(REQUIRED_PERMISSION, 'any');

/** A route that needs no token. */
export const PublicRoute = () => SetMetadata(PUBLIC_ROUTE, true);

/** Whether the route of a request needs no token. */
export const isPublicRoute = (reflector: Reflector, context: ExecutionContext): boolean =>
  reflector.getAllAndOverride<boolean | undefined>(PUBLIC_ROUTE, [context.getHandler(), context.getClass()]) ?? false;
