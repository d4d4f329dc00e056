export type { EncryptedColumn, EncryptedRow } from './encrypted-column.js';
export { generateKey, isUsableKey } from './key-text.js';
export { Keyring, DecryptionFailed } from './keyring.js';
export { hashToken, randomToken } from './random-token.js';
export { payloadOf, Signer, unverifiedIds } from './signer.js';
