/** A job imports one file. */
export const IMPORTING = 'importing';
