import type { ClassifiedRefusal, RefusalCause, ServerWords } from './refusal.js';
import { oneLine, reasonWith, wordsOf } from './refusal-text.js';
import { isDeadCode, type StatusCodes, statusCodesOf } from './status-codes.js';
import { DEAD_ADDRESSES, DEAD_PHRASES, MEANINGLESS } from './tables/dead-addresses.js';
import { OTHER_CAUSES } from './tables/other-causes.js';
import type { CausePattern } from './tables/pattern.js';

/** A cause, and the words that say so; empty if it is the code. */
interface Finding {
  readonly cause: RefusalCause;
  readonly decisive: string;
}

/**
 * Returns what a refusal means. The recipient's address is dead only if the reply says so, by its enhanced code or by its
 * words, and nothing in it speaks of something else; the `Status` of a report counts if the reply says nothing. A refusal of
 * MAIL or of the connection is never about the recipient (RFC 5321, 3.3).
 */
export function classifyRefusal(refusal: ServerWords): ClassifiedRefusal {
  const line = oneLine(refusal.text);
  const codes = statusCodesOf(line, refusal);
  const status = refusal.status;
  const isPermanent = refusal.is_permanent ?? (codes.reply ?? codes.enhanced.at(-1) ?? status ?? '5').startsWith('5');
  const { cause, decisive } = findCause(refusal, codes, isPermanent);
  return {
    cause,
    is_permanent: isPermanent,
    code: codeShown(cause, codes, status),
    reason: reasonWith(refusal.text, decisive),
  };
}

function findCause(refusal: ServerWords, codes: StatusCodes, isPermanent: boolean): Finding {
  const words = withPlainPhrases(wordsOf(refusal.text), codes);
  const other = findIn(OTHER_CAUSES, words);
  if (other) return other;
  if (refusal.phase === 'mail' || refusal.phase === 'connection' || isOfSession(codes.reply)) return byCode('sender');
  if (!isPermanent) return byCode('temporary');
  const ofCode = codes.enhanced.map(otherCauseOf).find((cause) => cause !== undefined);
  if (ofCode) return byCode(ofCode);
  const dead = findIn(DEAD_ADDRESSES, words);
  if (dead) return dead;
  if (codes.enhanced.some(isDeadCode)) return byCode('dead_address');
  if (codes.enhanced.length === 0 && codes.reply === '552') return byCode('mailbox_full');
  return byCode(statusCause(refusal.status) ?? 'unknown');
}

/** The reply code is about the order of the commands (RFC 5321, 4.2.1) or the login (RFC 4954, 6). */
const isOfSession = (reply: string | undefined): boolean => /^5(?:0[234]|3\d)$/.test(reply ?? '');

const byCode = (cause: RefusalCause): Finding => ({ cause, decisive: '' });

function findIn(table: readonly CausePattern[], words: string): Finding | undefined {
  for (const { cause, words: pattern } of table) {
    const decisive = pattern.exec(words)?.[0];
    if (decisive !== undefined) return { cause, decisive: decisive.trim() };
  }
  return undefined;
}

/** Writes the phrases that `OTHER_CAUSES` would take for another cause so that `DEAD_ADDRESSES` finds them. */
const withPlainPhrases = (words: string, { enhanced }: StatusCodes): string =>
  DEAD_PHRASES.filter(({ code }) => code === undefined || enhanced.includes(code))
    .reduce((text, phrase) => text.replace(phrase.words, 'is no recipient here'), words)
    .replace(MEANINGLESS, ' ');

/** Returns the cause that an enhanced code names other than a dead address (RFC 3463, and the codes of Exchange Online). */
function otherCauseOf(code: string): RefusalCause | undefined {
  if (code.startsWith('4.')) return 'temporary';
  if (/^5\.1\.[78]$/.test(code)) return 'sender';
  if (/^5\.7\./.test(code)) return 'policy';
  if (/^5\.2\.2$/.test(code)) return 'mailbox_full';
  if (/^5\.(4\.5|1\.90|2\.12[12]|2\.25[1-5])$/.test(code)) return 'rate';
  if (/^5\.(2\.3|3\.4|6\.\d+)$/.test(code)) return 'policy';
  return /^5\.4\.(7|316)$/.test(code) ? 'temporary' : undefined;
}

const statusCause = (status: string | undefined): RefusalCause | undefined =>
  status === undefined ? undefined : isDeadCode(status) ? 'dead_address' : otherCauseOf(status);

/** Of several enhanced codes, the one that fits the cause; the `Status` of a report only if it fits the reply and says more. */
function codeShown(cause: RefusalCause, { enhanced, reply }: StatusCodes, status: string | undefined): string | null {
  const fitting = enhanced.find((code) => (cause === 'dead_address' ? isDeadCode(code) : otherCauseOf(code) === cause));
  const saysMore = status !== undefined && !status.endsWith('.0.0') && status[0] === (reply ?? status)[0];
  return fitting ?? enhanced.at(-1) ?? (saysMore ? status : undefined) ?? reply ?? status ?? null;
}
