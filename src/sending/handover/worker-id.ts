import { randomUUID } from 'node:crypto';

/** Whose leases are this process's. */
export const WORKER = randomUUID();
