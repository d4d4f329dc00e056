export { checkCursor, CursorListQuery } from './cursor-list-query.js';
export { cursorText, positionIn, purposeOf } from './cursor-text.js';
