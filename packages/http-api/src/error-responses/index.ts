export { handleClientErrors, refuseClientErrors } from './client-errors.js';
export { type ErrorResponse, responseTo } from './error-response.js';
