export { ErrorFilter } from './error.filter.js';
export { errorResponse } from './error-response.js';
