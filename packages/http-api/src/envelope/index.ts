export { CountingAdapter } from './counting-adapter.js';
export { EnvelopeContext, type RowsToEncode } from './envelope-context.js';
export { EnvelopeInterceptor } from './envelope.interceptor.js';
export { JsonParts } from './json-parts.js';
