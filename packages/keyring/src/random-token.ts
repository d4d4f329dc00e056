import { createHash, randomBytes } from 'node:crypto';

/** Returns a new secret for a client: the prefix, then random bytes in base64url. */
export function randomToken(prefix: string, bytes = 32): string {
  return prefix + randomBytes(bytes).toString('base64url');
}

/** Returns the stored form of a token: its SHA-256 in lower-case hexadecimal. A random token needs no salt. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token, 'utf8').digest('hex');
}
