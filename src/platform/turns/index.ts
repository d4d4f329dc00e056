export { Turns, TurnsOfEach } from './turns.js';
