import { simpleParser } from 'mailparser';
import type { JsonResponse } from './api/json-response.js';
import type { Checks } from './checks/checks.js';
import { headerValue, type CaughtMail } from './mail/caught-mail.js';
import type { Terminal } from './terminal.js';
import { LINE_WIDTH, wrapText } from './text-width.js';

const LABEL_WIDTH = 14;
const NUMBER_WIDTH = 6;
const numberFormat = new Intl.NumberFormat('en');
const RULE = '-'.repeat(LINE_WIDTH);
const THREAD_HEADERS = ['Message-ID', 'In-Reply-To', 'References', 'List-Unsubscribe', 'List-Unsubscribe-Post'];

/** The results of the campaign, from the API and the mail server. */
export interface DemoResult {
  readonly imported: JsonResponse;
  readonly first_touches: number;
  readonly follow_ups: number;
  readonly unsubscribed: number;
  readonly bounced: number;
  readonly suppressed: number;
  /** From the start of the campaign to the last message. */
  readonly seconds: number;
}

/** Prints the summary. */
export function reportResult(terminal: Terminal, result: DemoResult): void {
  const { imported, seconds } = result;
  const all = result.first_touches + result.follow_ups;
  const row = (label: string, count: number, text: string): void =>
    terminal.line(`  ${label.padEnd(LABEL_WIDTH)}${numberFormat.format(count).padStart(NUMBER_WIDTH)}  ${text}`);
  terminal.line('Summary');
  row(
    'Imported',
    imported.number('data.imported'),
    `contacts; ${imported.number('data.skipped')} rows were duplicates`,
  );
  row('Rejected', imported.number('data.failed'), 'rows:');
  for (const error of imported.list('data.errors')) {
    terminal.line(`    row ${String(error.number('row')).padEnd(5)} ${error.text('message')}`);
  }
  row('Sent', result.first_touches, 'first messages');
  row('Follow-ups', result.follow_ups, 'as replies in the same thread');
  row('Unsubscribed', result.unsubscribed, 'by one click; they received no follow-up');
  row('Bounced', result.bounced, 'rejected with 550; now on the blacklist');
  row('Suppressed', result.suppressed, 'on the blacklist before; they received nothing');
  row('Messages', all, `in ${seconds.toFixed(1)} s, ${Math.round(all / seconds)} a second`);
  terminal.line(RULE);
}

/** Prints headers and text of messages. */
export async function showMails(terminal: Terminal, mails: readonly CaughtMail[]): Promise<void> {
  terminal.line(`The two messages to the first contact\n${RULE}`);
  for (const mail of mails) {
    const { from, to, subject, text } = await simpleParser(mail.source);
    const show = (line: string): void => wrapText(line).forEach((part) => terminal.line(part));
    show(`From: ${from?.text ?? ''}`);
    show(`To: ${Array.isArray(to) ? '' : (to?.text ?? '')}`);
    show(`Subject: ${subject ?? ''}`);
    for (const name of THREAD_HEADERS) {
      const value = headerValue(mail.source, name);
      if (value !== undefined) show(`${name}: ${value}`);
    }
    show(`\n${(text ?? '').trim()}`);
    terminal.line(RULE);
  }
}

/** Prints one line for each deviation. Returns whether there are none. */
export function reportChecks(terminal: Terminal, { made, deviations }: Checks): boolean {
  for (const deviation of deviations) terminal.line(`DEVIATION  ${deviation}`);
  const wrong = deviations.length;
  terminal.line(wrong === 0 ? `${made} values checked, all are correct.` : `${wrong} of ${made} values are wrong.`);
  return wrong === 0;
}

/** Prints where the database is that stays, and how to use it. */
export function showStored(terminal: Terminal, directory: string): void {
  terminal.line(`\nThe database stays in ${directory}. To look into its workspace "Demo":`);
  terminal.line(`  DATA_DIR=${directory} outreach serve`);
  terminal.line(`  DATA_DIR=${directory} outreach token create --workspace 1 --name me`);
  terminal.line(`To delete it: rm -r ${directory}`);
}

/** Prints what a person can do after the demo. */
export function showNextSteps(terminal: Terminal): void {
  terminal.line();
  terminal.line('What to do next');
  terminal.line('  npm start    serves the API and its reference at http://localhost:3000');
  terminal.line('  README.md    "Send your first campaign" goes on from there, step by step');
}
