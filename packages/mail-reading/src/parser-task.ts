import { type HeaderSummary, summarizeHeader } from './header-summary.js';
import { parseMail } from './parse-mail.js';
import type { ParsedMail, RawMail } from './received-mail.js';

/** What a worker thread parses: a mail, or the beginnings of the headers of several mails. */
export type ParserTask = MailTask | HeadersTask;

export interface MailTask {
  readonly mail: RawMail;
}

export interface HeadersTask {
  readonly headers: readonly Uint8Array[];
}

/** What a worker thread returns for a {@link ParserTask}: for headers, what each of them says. */
export type ParserResult = ParsedMail | readonly HeaderSummary[];

/** Parses what others have written. */
export const runParserTask = async (task: ParserTask): Promise<ParserResult> =>
  'mail' in task ? parseMail(task.mail) : task.headers.map(summarizeHeader);
