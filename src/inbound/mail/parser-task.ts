import type { HeaderSummary, ParsedMail, RawMail } from '@outreach/mail-reading';
import { parseMail, summarizeHeader } from '@outreach/mail-reading/parser';

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
