export { generateKey, isUsableKey } from './key-text.js';
export { DecryptionFailed, type KeyringLabels, LabelledKeyring } from './labelled-keyring.js';
export { hashToken, randomToken } from './random-token.js';
export { payloadOf, Signer, unverifiedIds } from './signer.js';
