/** Longer names are cut: the text is part of a message. */
const MAX_SHOWN_LENGTH = 64;

/** Returns the name of a column as messages show it. */
export const quotedName = (name: string): string => `"${name.slice(0, MAX_SHOWN_LENGTH).toWellFormed()}"`;
