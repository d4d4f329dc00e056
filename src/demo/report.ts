import { simpleParser } from 'mailparser';
import type { ApiResponse } from './api/api-response.js';
import type { Checks } from './checks/checks.js';
import { headerValue, type CaughtMail } from './mail/caught-mail.js';
import type { Terminal } from './terminal.js';

const LABEL_WIDTH = 14;
const NUMBER_WIDTH = 6;
const numberFormat = new Intl.NumberFormat('en');
const RULE = '-'.repeat(78);
const THREAD_HEADERS = ['Message-ID', 'In-Reply-To', 'References', 'List-Unsubscribe', 'List-Unsubscribe-Post'];

/** What has happened, in figures of the API and of the mail server. */
export interface DemoResult {
  readonly imported: ApiResponse;
  readonly first_touches: number;
  readonly follow_ups: number;
  readonly unsubscribed: number;
  readonly bounced: number;
  readonly suppressed: number;
  /** From the start of the campaign to the last message. */
  readonly seconds: number;
}

/** The summary. */
export function reportResult(terminal: Terminal, result: DemoResult): void {
  const { imported, seconds } = result;
  const all = result.first_touches + result.follow_ups;
  const row = (label: string, count: number, text: string): void =>
    terminal.line(`  ${label.padEnd(LABEL_WIDTH)}${numberFormat.format(count).padStart(NUMBER_WIDTH)}  ${text}`);
  terminal.line('What happened');
  row(
    'Imported',
    imported.number('data.imported'),
    `contacts; ${imported.number('data.skipped')} rows were duplicates`,
  );
  row('Refused', imported.number('data.failed'), 'rows:');
  for (const error of imported.list('data.errors')) {
    terminal.line(
      `${' '.repeat(LABEL_WIDTH + NUMBER_WIDTH + 4)}row ${String(error.number('row')).padEnd(5)} ${error.text('message')}`,
    );
  }
  row('Sent', result.first_touches, 'first messages');
  row('Follow-ups', result.follow_ups, 'as replies in the same thread');
  row('Unsubscribed', result.unsubscribed, 'by one click; no follow-up went to them');
  row('Bounced', result.bounced, 'refused with 550; now on the blacklist');
  row('Suppressed', result.suppressed, 'on the blacklist before; nothing went to them');
  row('Messages', all, `in ${seconds.toFixed(1)} s, ${Math.round(all / seconds)} a second`);
  terminal.line(RULE);
}

/** Headers and text of messages, as their recipient has them. */
export async function showMails(terminal: Terminal, mails: readonly CaughtMail[]): Promise<void> {
  terminal.line(`Two of the messages, as their recipient has them\n${RULE}`);
  for (const mail of mails) {
    const { from, to, subject, text } = await simpleParser(mail.source);
    terminal.line(`From: ${from?.text ?? ''}`);
    terminal.line(`To: ${Array.isArray(to) ? '' : (to?.text ?? '')}`);
    terminal.line(`Subject: ${subject ?? ''}`);
    for (const name of THREAD_HEADERS) {
      const value = headerValue(mail.source, name);
      if (value !== undefined) terminal.line(`${name}: ${value}`);
    }
    terminal.line(`\n${(text ?? '').trim()}`);
    terminal.line(RULE);
  }
}

/** Whether all is as it must be; each figure that is not has a line. */
export function reportChecks(terminal: Terminal, { made, deviations }: Checks): boolean {
  for (const deviation of deviations) terminal.line(`DEVIATION  ${deviation}`);
  const wrong = deviations.length;
  terminal.line(
    wrong === 0 ? `${made} figures checked: all are what they must be.` : `${wrong} of ${made} figures are wrong.`,
  );
  return wrong === 0;
}
