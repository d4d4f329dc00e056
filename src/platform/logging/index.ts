export { Log, NEVER_LOGGED, withLogFields } from './log.js';
