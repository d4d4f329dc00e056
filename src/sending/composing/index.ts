export { type MailSource } from './compose.js';
export { Composer, type MailSender } from './composer.js';
export { toMime } from './mime.js';
