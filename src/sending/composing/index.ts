export { type MailSource } from './compose.js';
export { Composer, type MailSender } from './composer.js';
export { dkimSigner } from './dkim.js';
export { MimeEncoder } from './mime-encoder.js';
