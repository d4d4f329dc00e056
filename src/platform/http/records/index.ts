export { PreconditionInterceptor } from './precondition.interceptor.js';
export { CheckRecord, FindRecord, LoadRecord, type RecordCheck, RecordInterceptor } from './record.interceptor.js';
export { Representations } from './representations.js';
