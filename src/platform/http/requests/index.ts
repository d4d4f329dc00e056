export { WorkspaceInputContexts } from './input-context.js';
export { requestLog } from './request-log.js';
export { Caller, InWorkspace, LoadedRecord, type Principal, type ServiceRequest } from './request.js';
