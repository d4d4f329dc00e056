const MAX_LENGTH = 500;

/** What somebody wrote in a report, fit to be stored and shown: on one line, not endless, valid Unicode. */
export const reportedText = (text: string, maxLength = MAX_LENGTH): string =>
  text
    .slice(0, 4 * maxLength)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, maxLength)
    .toWellFormed();

/** The enhanced status code of a failure (RFC 3463) in a text, where an IP address may look like one. */
export const enhancedCodeIn = (text: string): string | undefined =>
  /(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?!\.?\d)/.exec(text)?.[0];

/** The reply code of a failure (RFC 5321) that a text begins with. */
export const replyCodeOf = (text: string): string | undefined => /^\s*([45]\d\d)(?!\d)/.exec(text)?.[1];
