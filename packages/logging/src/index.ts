export { hideInLogs, Log, withLogFields } from './log.js';
export { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from './log-options.js';
export { isOutage } from './outage-errors.js';
