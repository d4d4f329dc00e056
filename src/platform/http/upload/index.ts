export { UploadInterceptor } from './upload.interceptor.js';
export { AcceptsUpload, UPLOAD, Uploaded, type UploadRule } from './uploads.js';
