import { randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const BYTES = 32;

/** Returns a new signing secret, in the form of Standard Webhooks 1.0. */
export const newSecret = (): string => PREFIX + randomBytes(BYTES).toString('base64');

/** Returns the decoded bytes of a secret, which are the key of Standard Webhooks signatures. */
export const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64');
