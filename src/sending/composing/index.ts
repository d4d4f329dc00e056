export { type MailSource, type Sender } from './compose.js';
export { Composer } from './composer.js';
export { toMime } from './mime.js';
