import { RedisCheck } from '@outreach/redis-connections';

/** Checks the Redis of the service. Its key begins as the counters of quotas do, which its account may write. */
export const redisCheck = new RedisCheck('REDIS_URL', 'quota:write-check');
