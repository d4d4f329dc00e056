import { createHash, randomBytes } from 'node:crypto';

/** A new secret for a client to hold: the prefix, then random bytes (32 unless given) as base64url. */
export function randomToken(prefix: string, bytes = 32): string {
  return prefix + randomBytes(bytes).toString('base64url');
}

/** What is stored of a token: its SHA-256 in lower-case hexadecimal. A token is random, so it needs no salt. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token, 'utf8').digest('hex');
}
