import type { ServerWords } from './refusal.js';

/** The codes of a refusal. */
export interface StatusCodes {
  /** The reply code (RFC 5321), given or else the last one in the text: that of the server that refused. */
  readonly reply: string | undefined;
  /** The enhanced codes (RFC 3463), given and in the text, wherever they stand: `550 5.1.1 …`, `… (#5.1.1)`. */
  readonly enhanced: readonly string[];
}

/** Not a part of an IP address or of a version with four numbers. */
const ENHANCED = /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?!\.?\d)/g;
/** At the beginning, in quotes, after a colon, or after `said`: other numbers are no codes. */
const REPLY = /(?:^|[:;'"(>]|said|reply|error|code|returned) {0,3}([45]\d\d)(?=[ :-]|$)/g;

/** Finds the codes of a refusal. @param line the text in one line */
export function statusCodesOf(line: string, { code, enhanced }: Pick<ServerWords, 'code' | 'enhanced'>): StatusCodes {
  const replies = [...line.matchAll(REPLY)].map(([, reply]) => reply);
  const inText = [...line.matchAll(ENHANCED)].map(([each]) => each).filter((each) => !each.startsWith('2'));
  return {
    reply: code === undefined ? replies.at(-1) : String(code),
    enhanced: [...(enhanced === undefined ? [] : [enhanced]), ...inText],
  };
}

/** Finds the enhanced status code of a failure in a text. Ignores similar parts of IP addresses. */
export const enhancedCodeIn = (text: string): string | undefined =>
  /(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?!\.?\d)/.exec(text)?.[0];

/** The codes that say that the address is dead, whatever the words are, unless these speak of something else. */
export const isDeadCode = (code: string): boolean => /^5\.(1\.([1236]|10)|2\.1|4\.4)$/.test(code);
