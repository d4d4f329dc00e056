export { assertRedisAvailable, redisInfo } from './redis-check.js';
export { redisOptions } from './redis-options.js';
