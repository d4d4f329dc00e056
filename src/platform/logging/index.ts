export { hideInLogs, Log, withLogFields } from './log.js';
