import type { Permission } from '@outreach/http-api/routes';
import { loadedExtensions } from '../platform/extensions/index.js';

/** The areas of API v1, "Authentication". Lists, tags, companies and custom fields belong to `contacts`. */
const AREAS = [
  'contacts',
  'segments',
  'templates',
  'email_accounts',
  'campaigns',
  'webhooks',
  'blacklist',
  'tokens',
] as const;

declare module '@outreach/http-api/routes' {
  interface PermissionAreas extends Readonly<Record<(typeof AREAS)[number], true>> {}
}

/** Every permission that a token can have, two for each area. */
export const PERMISSIONS: readonly Permission[] = [...AREAS, ...extensionAreas()].flatMap((area): Permission[] => [
  `${area}:read`,
  `${area}:write`,
]);

/** An extension module has one area, of its name; it declares the type itself. */
function extensionAreas(): (typeof AREAS)[number][] {
  return loadedExtensions().map(({ name }) => name as never);
}

/** Whether a value is the name of a permission. */
export const isPermission = (value: unknown): value is Permission =>
  PERMISSIONS.some((permission) => permission === value);
