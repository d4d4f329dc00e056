export { BodyGuard, NON_JSON_BODIES } from './body.guard.js';
export { LargeResponseGuard } from './large-responses.js';
export { WaitsForNetwork } from './network-wait.js';
export { RequestQueueGuard, RequestQueueInterceptor } from './request-queue.js';
export { UploadInterceptor } from './upload.interceptor.js';
