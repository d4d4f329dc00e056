export { CONFIG, type Config, ConfigError, databaseUrl, loadConfig } from './config.js';
export { envExample, settingsTable } from './document.js';
export { LOG_LEVELS, type LogLevel, type Role, ROLES, SETTINGS } from './settings.js';
