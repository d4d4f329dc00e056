export { BodyGuard, NON_JSON_BODIES } from './body.guard.js';
export {
  hasBody,
  isAborted,
  limitDiscarding,
  MEGABYTE,
  type NonJsonBodies,
  type NonJsonBody,
  postponeContinue,
  requestAborted,
  startReading,
} from './body.js';
export { malformedForm } from './form-part.js';
export { encodeRows, JsonParts } from './large-json.js';
export { UnreadBody, UnreadBodyParam } from './unread-body.js';
