export { handleClientErrors, refuseClientErrors } from './client-errors.js';
export { errorResponse } from './error-response.js';
export { ErrorFilter } from './error.filter.js';
