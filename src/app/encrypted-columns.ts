import { ENCRYPTED_CREDENTIALS, ENCRYPTED_OAUTH } from '../email-accounts/index.js';
import { ENCRYPTED_SUBJECTS } from '../personal-data/index.js';
import type { EncryptedColumn } from '../platform/crypto/index.js';
import { ENCRYPTED_RESPONSES } from '../platform/idempotency/index.js';
import { ENCRYPTED_HASH_KEY } from '../platform/keyed-hash/index.js';
import { ENCRYPTED_SECRETS } from '../webhooks/index.js';

/** All columns whose values are encrypted with a key of `ENCRYPTION_KEY`. */
export const ENCRYPTED_COLUMNS: readonly EncryptedColumn[] = [
  ...ENCRYPTED_CREDENTIALS,
  ...ENCRYPTED_OAUTH,
  ENCRYPTED_SECRETS,
  ENCRYPTED_HASH_KEY,
  ENCRYPTED_RESPONSES,
  ENCRYPTED_SUBJECTS,
];
