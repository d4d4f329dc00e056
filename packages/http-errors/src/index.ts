export { limitErrors, MAX_ERRORS } from './error-limit.js';
export {
  BadRequest,
  Conflict,
  DomainError,
  type FieldErrors,
  Forbidden,
  MethodNotAllowed,
  NotFound,
  PermissionMissing,
  RuleViolated,
  ServiceUnavailable,
  TooManyRequests,
  Unauthorized,
  UnknownPath,
  ValidationFailed,
} from './errors.js';
export { defineReason, defineReasons, definedReasons, type Reason, type ReasonDefinition } from './reasons.js';
