export { closeSignal } from './close-signal.js';
export { type InputContext } from './input-context.js';
export { InterceptorChain } from './interceptor-chain.js';
export { NETWORK_WAIT, type NetworkWait, WaitsForNetwork } from './network-wait.js';
export { PermissionGuard } from './permission.guard.js';
export { ReceivedFile } from './received-file.js';
export { API_HEADERS, API_VERSION, requestContext, requestFields } from './request-context.js';
export {
  addInputErrors,
  Caller,
  IdParam,
  InWorkspace,
  LoadedRecord,
  type ParentRule,
  pathId,
  type PathText,
  type Principal,
  RECORD_RULES,
  type RecordRule,
  type ServiceRequest,
} from './request.js';
