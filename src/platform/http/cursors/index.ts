export { CursorListQuery } from './cursor-list-query.js';
export { cursorText, purposeOf } from './cursor-text.js';
