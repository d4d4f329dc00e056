export { CONFIG, type Config, ConfigError, databaseUrl, loadSettings } from './config.js';
export { readSettings } from './env-file.js';
export { platformSettings, type Role } from './platform-settings.js';
