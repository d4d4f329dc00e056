export { Log, withLogFields } from './log.js';
