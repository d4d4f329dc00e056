export * from './answers.js';
export { MEGABYTE, type OtherBodies, type OtherBody } from './body.js';
export { EnvelopeInterceptor } from './envelope.interceptor.js';
export { errorAnswer } from './error-answer.js';
export { ErrorFilter } from './error.filter.js';
export { type HttpSetup, setUpExpress, stopListening } from './express-app.js';
export { HttpModule } from './http.module.js';
export * from './openapi/index.js';
export { PermissionGuard } from './permission.guard.js';
export {
  AnyToken,
  AREAS,
  isPermission,
  isPublicRoute,
  type Permission,
  PERMISSIONS,
  Public,
  RequirePermission,
} from './permissions.js';
export { Raw, RawBody } from './raw-body.js';
export { ForRecord, RecordGuard } from './record.guard.js';
export { Caller, Id, InWorkspace, pathId, type Principal, Record, type ServiceRequest } from './request.js';
export { type Route, Routes } from './routes.js';
export * from './upload/index.js';
export * from './validation/index.js';
export { is, type Schema, timestamp, view, type View } from './view.js';
