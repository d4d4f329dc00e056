export { ImapLoginRefused, ImapUnavailable } from './imap-errors.js';
export { type ImapFolders } from './imap-folders.js';
export { type ImapSession, MAX_HEADERS, type MessageHeader, type OpenFolder } from './imap-session.js';
export { IMAP_ENCRYPTIONS, type ImapEncryption, type ImapLogin, type ImapSettings } from './imap-settings.js';
export { type ImapOptions, openImapSession } from './open-imap-session.js';
