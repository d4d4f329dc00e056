/** What Redis says when it refuses a client or a command, and what to do. */
const ADVICE: readonly (readonly [words: RegExp, advice: string])[] = [
  [
    /^DENIED .*protected mode/s,
    'set a password in Redis (requirepass) and write it into the URL, redis://:password@host:6379, or set "protected-mode no" ' +
      'there if nothing else can reach it',
  ],
  [/NOAUTH/, 'write the password into the URL: redis://:password@host:6379, or redis://user:password@host:6379'],
  [
    /WRONGPASS|invalid password|called without any password/,
    'compare user and password of the URL with requirepass, or with "ACL LIST", of this Redis',
  ],
  [/NOPERM/, 'give its user the right to this command and these keys, by "ACL SETUSER"'],
  [
    /NOSCRIPT/,
    'nothing: it has forgotten its scripts, as after SCRIPT FLUSH or a restart, and gets them again with the next job',
  ],
  [/^OOM /, 'its memory is full: raise maxmemory, with the policy noeviction'],
  [/MISCONF/, 'it cannot write to its disk: look into its own log'],
];

/** @returns what to do about an error that has the words of Redis itself; undefined if it has none that are known */
export const adviceAbout = ({ message }: Error): string | undefined =>
  ADVICE.find(([words]) => words.test(message))?.[1];

/** Whether Redis refuses the client, so that no connection can be opened. */
export const isClientRefused = ({ message }: Error): boolean => /^(DENIED|NOAUTH|WRONGPASS)/.test(message);

/** @returns the first sentence of what Redis says, which may be a paragraph */
export const wordsOf = ({ message }: Error): string => message.split(/(?<=\.)\s/, 1)[0] ?? message;
