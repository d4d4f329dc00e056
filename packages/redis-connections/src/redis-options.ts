import type { RedisOptions } from 'ioredis';

/**
 * How long a connection is idle before the operating system asks whether its other end still exists. Node lets it ask ten
 * times in ten seconds.
 */
const KEEP_ALIVE_DELAY_MS = 5_000;

/**
 * The codes of replies to writes when a server is, or has just become, a replica, or lacks the replicas that it needs to accept
 * writes. A reply of a script contains them.
 */
const REFUSED_WRITE = /\b(READONLY|UNBLOCKED|MASTERDOWN|NOREPLICAS)\b/;

/** Whether a server has refused a write that another one, to which the same address may lead now, accepts. */
export const isWriteRefused = ({ message }: Error): boolean => REFUSED_WRITE.test(message);

/**
 * The options of connections that stay open. A connection to a server that refuses writes is opened again, because after a
 * failover its address leads to another server. The refused command fails: repeated, it would hold up the stop of a worker.
 */
export const redisOptions = { keepAlive: KEEP_ALIVE_DELAY_MS, reconnectOnError: isWriteRefused } satisfies RedisOptions;
