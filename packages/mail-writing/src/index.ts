export { canSign, DKIM_KEY_RULE, type DkimCredentials, isDkimKey } from './dkim-key.js';
export { type DkimSigner, dkimSigner, signed } from './dkim-signature.js';
export { threadHeaders, unsubscribeHeaders } from './headers.js';
export { toMime } from './mime.js';
export { MimeEncoder } from './mime-encoder.js';
export type { WrittenMail } from './written-mail.js';
