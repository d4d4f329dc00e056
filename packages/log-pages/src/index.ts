export {
  dayAfter,
  type LastLog,
  type LogGroup,
  type LogRange,
  type LogValue,
  rangesAfter,
  rangesOf,
  totalOf,
} from './log-pages.js';
