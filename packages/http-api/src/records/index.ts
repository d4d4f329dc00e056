export {
  type ConditionalRoute,
  conditionalRoute,
  declaredResponse,
  lastParameter,
  recordRules,
  respondsRecord,
  shownViews,
} from './record-routes.js';
export { type ParentRule, type PathText, RECORD_RULES, type RecordRule } from './record-rules.js';
