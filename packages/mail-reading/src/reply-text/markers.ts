/** A line before a quotation, in the text that is converted from HTML. */
export const QUOTE_HEADER = '\u0001';
/** A line after which everything is quoted, in the text that is converted from HTML. */
export const END_OF_REPLY = '\u0002';

/** Characters that no text contains, and the markers are two of them. */
export const CONTROL_CHARACTERS = /[^\P{Cc}\t\n\r\u0085]/gu;
/** Both markers. */
export const MARKERS = new RegExp(`[${QUOTE_HEADER}${END_OF_REPLY}]`, 'g');
