export {
  InvalidSetting,
  parseCidrs,
  parseDatabaseUrl,
  parseDurations,
  parseInteger,
  parseItems,
  parseKeys,
  parseNameServers,
  parseOneOf,
  parsePublicUrl,
  parseText,
  parseUrl,
} from './parsers.js';
export { readValue, type ReadValues, readValues } from './read-values.js';
export { parseRedisUrl } from './redis-url.js';
export type { Environment } from './secret-files.js';
export { type ConfigOf, secret, type Setting, setting, type Settings } from './settings.js';
