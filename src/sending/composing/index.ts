export { type MailSource } from './compose.js';
export { Composer, type MailSender } from './composer.js';
