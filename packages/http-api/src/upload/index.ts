export { receiveForm } from './receive-form.js';
export { AcceptsUpload, UPLOAD, Uploaded, type UploadRule } from './uploads.js';
