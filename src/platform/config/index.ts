export { CONFIG, type Config, ConfigError, databaseUrl, loadConfig } from './config.js';
export { envExample, settingsTable } from './document.js';
export { readConfig } from './env-file.js';
export { LOG_LEVELS, type LogLevel, type Role, ROLES, SETTINGS } from './settings.js';
