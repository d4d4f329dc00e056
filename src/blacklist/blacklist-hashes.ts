import { Injectable } from '@nestjs/common';
import { type Sql, sql } from '../platform/database/index.js';
import { HASH_PREFIX, HashKeyStore } from '../platform/keyed-hash/index.js';

/**
 * The keyed hash (HMAC-SHA256) that takes the place of a blacklisted address in `blacklist_entries.email` when the person is
 * erased. It is the same in all workspaces, because an entry protects its address from all of them, and cannot be
 * computed without the key.
 */
@Injectable()
export class BlacklistHashes {
  constructor(private readonly keys: HashKeyStore) {}

  /** @param email in lower case @returns the text that is stored instead of it */
  of(email: string): string {
    return HASH_PREFIX + this.keys.get().digest(`blacklist:${email}`).toString('hex');
  }

  /** @param email SQL of a text in lower case @returns SQL of what {@link of} returns */
  sqlOf(email: Sql): Sql {
    return sql`${HASH_PREFIX}::text || encode(${this.keys.get().hash(sql`'blacklist:' || ${email}`)}, 'hex')`;
  }
}
