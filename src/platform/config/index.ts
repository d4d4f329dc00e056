export { CONFIG, type Config, ConfigError, databaseUrl, loadSettings } from './config.js';
export { readSettings } from './env-file.js';
export { InvalidSetting, parseDurations, parseInteger, parseItems, parseUrl } from './parsers.js';
export { platformSettings, type Role } from './platform-settings.js';
export { type ConfigOf, secret, type Setting, setting, type Settings } from './settings.js';
