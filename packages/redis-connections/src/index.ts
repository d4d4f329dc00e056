export { adviceAbout, isClientRefused } from './redis-advice.js';
export {
  describeHost,
  describeRedis,
  parseRedisAddress,
  type RedisAddress,
  WrongRedisAddress,
} from './redis-address.js';
export { RedisCheck, type RedisInfo } from './redis-check.js';
export { openRedis } from './redis-client.js';
export { redisOptions } from './redis-options.js';
