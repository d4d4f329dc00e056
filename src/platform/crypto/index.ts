export type { EncryptedColumn, EncryptedRow } from './encrypted-column.js';
export { Keyring } from './keyring.js';
