const MAX_LENGTH = 500;

/** Turns external text into one line of limited length and valid Unicode, which can be stored. */
export const reportedText = (text: string, maxLength = MAX_LENGTH): string =>
  text
    .slice(0, 4 * maxLength)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, maxLength)
    .toWellFormed();

const MAX_ADDRESS_LENGTH = 254;

/** Returns the address that a report names, which can be compared with stored ones, or undefined if it names none. */
export const reportedAddress = (text: string): string | undefined =>
  reportedText(text, MAX_ADDRESS_LENGTH) || undefined;

/** Finds the enhanced status code of a failure (RFC 3463) in a text. Ignores similar parts of IP addresses. */
export const enhancedCodeIn = (text: string): string | undefined =>
  /(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?!\.?\d)/.exec(text)?.[0];
