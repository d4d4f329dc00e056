export {
  Accepted,
  type AcceptedBody,
  type AcceptedResponse,
  isPreferred,
  setAccepted,
  WaitSignal,
} from './accepted.js';
export { BodyGuard, NON_JSON_BODIES } from './body.guard.js';
export { MEGABYTE, type NonJsonBodies, type NonJsonBody } from './body.js';
export { handleClientErrors } from './client-errors.js';
export { checkCursor, CursorListQuery, cursorText, positionIn, purposeOf } from './cursors/index.js';
export { CountingAdapter } from './counting-adapter.js';
export { EnvelopeInterceptor } from './envelope.interceptor.js';
export { limitErrors, MAX_ERRORS } from './error-limit.js';
export { errorResponse } from './error-response.js';
export { ErrorFilter } from './error.filter.js';
export { type HttpSetup, prepareToStop, setUpExpress, stopListening } from './express-app.js';
export { InterceptorChain } from './interceptor-chain.js';
export { InputInterceptor } from './input.interceptor.js';
export type { InputContext } from './input-context.js';
export { HttpModule } from './http.module.js';
export { IGNORES_IDEMPOTENCY_KEY, IgnoresIdempotencyKey } from './ignores-idempotency-key.js';
export { LARGE_RESPONSE, LargeResponse, LargeResponseGuard } from './large-responses.js';
export * from './openapi/index.js';
export { WaitsForNetwork } from './network-wait.js';
export { RESERVES_IDEMPOTENCY_KEY, ReservesIdempotencyKey } from './reserves-idempotency-key.js';
export { OpenConnections } from './open-connections.js';
export { PreconditionInterceptor } from './precondition.interceptor.js';
export { entityTag, matchesWeakly } from './entity-tag.js';
export { Representations } from './representations.js';
export { conditionalRoute, respondsRecord } from './record-routes.js';
export { PermissionGuard } from './permission.guard.js';
export {
  AnyToken,
  isPublicRoute,
  type Permission,
  type PermissionAreas,
  PublicRoute,
  RequirePermission,
} from './permissions.js';
export * from './responds.decorator.js';
export { UnreadBodyParam, UnreadBody } from './unread-body.js';
export { requestFields } from './request-context.js';
export { RequestQueueGuard, RequestQueueInterceptor } from './request-queue.js';
export { CheckRecord, FindRecord, LoadRecord, type RecordCheck, RecordInterceptor } from './record.interceptor.js';
export {
  addInputErrors,
  Caller,
  IdParam,
  InWorkspace,
  pathId,
  type PathText,
  type Principal,
  LoadedRecord,
  type ServiceRequest,
} from './request.js';
export { type Route, Routes } from './routes.js';
export { closeIfStalled } from './stalled-clients.js';
export * from './upload/index.js';
export * from './validation/index.js';
export { arrayView, is, type NamedShape, type Schema, timestamp, view, type View } from './view.js';
