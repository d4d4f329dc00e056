export { CountingAdapter } from './counting-adapter.js';
export { EnvelopeInterceptor } from './envelope.interceptor.js';
export { LARGE_RESPONSE, LargeResponse, LargeResponseGuard } from './large-responses.js';
