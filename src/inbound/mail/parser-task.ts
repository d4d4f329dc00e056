import { type HeaderSummary, summarizeHeader } from './header-summary.js';
import { parseMail } from './parse-mail.js';
import type { ParsedMail, RawMail } from './received-mail.js';

/** What a worker thread parses: a mail, or the beginnings of the headers of several mails. */
export type ParserTask = { readonly mail: RawMail } | { readonly headers: readonly Uint8Array[] };

/** What a worker thread returns for a {@link ParserTask}. */
export interface ParserResult {
  readonly mail?: ParsedMail;
  readonly summaries?: readonly HeaderSummary[];
}

/** Parses what others have written. */
export const runParserTask = async (task: ParserTask): Promise<ParserResult> =>
  'mail' in task ? { mail: await parseMail(task.mail) } : { summaries: task.headers.map(summarizeHeader) };
