export { HashKey } from './hash-key.entity.js';
export { ENCRYPTED_HASH_KEY, HashKeyLost, HashKeyStore, KEY_IS_NEEDED } from './hash-key.cross-tenant.js';
export { HASH_PREFIX, HmacKey } from './hmac-sql.js';
export { KeyedHashModule } from './keyed-hash.module.js';
