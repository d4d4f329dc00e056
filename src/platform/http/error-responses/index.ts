export { handleClientErrors, refuseClientErrors } from './client-errors.js';
export { limitErrors, MAX_ERRORS } from './error-limit.js';
export { errorResponse } from './error-response.js';
export { ErrorFilter } from './error.filter.js';
