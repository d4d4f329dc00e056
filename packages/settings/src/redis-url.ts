import { parseRedisAddress, WrongRedisAddress } from '@outreach/redis-connections';
import { InvalidSetting } from './parsers.js';

/** A URL of Redis, see `parseRedisAddress`; slashes at its end are removed. @throws InvalidSetting */
export function parseRedisUrl(text: string): string {
  try {
    parseRedisAddress(text);
  } catch (error) {
    throw error instanceof WrongRedisAddress ? new InvalidSetting(error.message) : error;
  }
  return text.replace(/\/+$/, '');
}
