export { PreconditionInterceptor } from './precondition.interceptor.js';
export { conditionalRoute, declaredResponse, respondsRecord, shownViews } from './record-routes.js';
export { CheckRecord, FindRecord, LoadRecord, type RecordCheck, RecordInterceptor } from './record.interceptor.js';
export { Representations } from './representations.js';
