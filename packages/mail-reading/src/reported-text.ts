const MAX_LENGTH = 500;

/** Turns external text into one line of limited length and valid Unicode, without control characters. */
export const reportedText = (text: string, maxLength = MAX_LENGTH): string =>
  text
    .slice(0, 4 * maxLength)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, maxLength)
    .toWellFormed();

const MAX_ADDRESS_LENGTH = 254;

/** Returns the address that a report names, like {@link reportedText}, or undefined if it names none. */
export const reportedAddress = (text: string): string | undefined =>
  reportedText(text, MAX_ADDRESS_LENGTH) || undefined;
