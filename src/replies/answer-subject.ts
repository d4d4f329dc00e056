/** The prefixes of replies and answers in subjects. */
const REPLY_PREFIXES = /^(\s*re\s*:\s*)+/i;
/** The limit of subjects of steps. */
const MAX_LENGTH = 500;

/** Returns the subject of an answer: that of the reply with `Re: ` once. */
export const answerSubject = (subject: string): string =>
  [...`Re: ${subject.replace(REPLY_PREFIXES, '')}`].slice(0, MAX_LENGTH).join('').trim();
