export { closeSignal } from './close-signal.js';
export { InterceptorChain } from './interceptor-chain.js';
export { PermissionGuard } from './permission.guard.js';
export { ReceivedFile } from './received-file.js';
export { API_HEADERS, API_VERSION, type EndedRequest, requestContext, requestFields } from './request-context.js';
export { addInputErrors, type ApiRequest, IdParam, pathId } from './request.js';
