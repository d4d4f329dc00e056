export { IGNORES_IDEMPOTENCY_KEY, IgnoresIdempotencyKey } from './ignores-idempotency-key.js';
export { pathCheck } from './path-check.js';
export {
  AnyToken,
  isPublicRoute,
  type Permission,
  type PermissionAreas,
  PublicRoute,
  REQUIRED_PERMISSION,
  RequirePermission,
} from './permissions.js';
export { RESERVES_IDEMPOTENCY_KEY, ReservesIdempotencyKey } from './reserves-idempotency-key.js';
export { patchAsPut, type Route, routeMetadata, Routes } from './routes.js';
