export { RedisCheck, type RedisInfo } from './redis-check.js';
export { redisOptions } from './redis-options.js';
