export {
  type BodyParser,
  bodyParser,
  hasBody,
  isAborted,
  limitDiscarding,
  MEGABYTE,
  type NonJsonBodies,
  type NonJsonBody,
  postponeContinue,
  readBody,
  requestAborted,
  startReading,
} from './body.js';
export { malformedForm } from './form-part.js';
export { UnreadBody, UnreadBodyParam } from './unread-body.js';
