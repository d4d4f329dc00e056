import type { ApiClient } from '../api/api-client.js';
import type { Checks } from './checks.js';
import { EXPECTED_RECIPIENTS, EXPECTED_IMPORT, EXPECTED_MESSAGES } from '../campaign/expected-values.js';
import type { Unsubscribers } from '../mail/unsubscribers.js';
import type { MailCatcher } from '../mail/mail-catcher.js';
import type { Prepared } from '../campaign/preparation.js';
import type { CaughtMail } from '../mail/caught-mail.js';

/** Checks the responses to the import and the enrollment. */
export function verifyPreparation(checks: Checks, { imported, enrolled }: Prepared): void {
  checks.equal('rows in the file', imported.number('data.total'), EXPECTED_IMPORT.total);
  checks.equal('contacts imported', imported.number('data.imported'), EXPECTED_IMPORT.imported);
  checks.equal('contacts updated by the import', imported.number('data.updated'), 0);
  checks.equal('rows skipped', imported.number('data.skipped'), EXPECTED_IMPORT.skipped);
  checks.equal('rows rejected', imported.number('data.failed'), EXPECTED_IMPORT.failed);
  const rows = imported.list('data.errors').map((error) => error.number('row'));
  checks.equal('numbers of the rejected rows', rows.join(), EXPECTED_IMPORT.failed_rows.join());
  checks.equal('contacts enrolled', enrolled.number('data.enrolled'), EXPECTED_IMPORT.imported);
  checks.equal('contacts not enrolled', enrolled.number('data.skipped'), 0);
}

/** Checks contacts, statistics, messages and blacklist in the API after the campaign. */
export async function verifyRecords(checks: Checks, api: ApiClient, prepared: Prepared): Promise<void> {
  await verifyContacts(checks, api, prepared);
  await verifyStatistics(checks, api, prepared);
  const total = async (what: string, path: string, expected: number): Promise<void> =>
    checks.equal(what, await api.total(path), expected);
  const messages = `/campaigns/${prepared.campaign_id}/messages?status`;
  await total('messages with the status sent', `${messages}=sent`, EXPECTED_MESSAGES.all);
  await total('messages with the status bounced', `${messages}=bounced`, EXPECTED_IMPORT.bouncing);
  await total('messages with the status cancelled', `${messages}=cancelled`, EXPECTED_RECIPIENTS.blacklisted);
  await total(
    'messages of any status',
    `/campaigns/${prepared.campaign_id}/messages`,
    EXPECTED_MESSAGES.all + EXPECTED_IMPORT.bouncing + EXPECTED_RECIPIENTS.blacklisted,
  );
  await total('blacklisted because they bounced', '/blacklist?reason=bounce', EXPECTED_IMPORT.bouncing);
  await total('blacklisted for any reason', '/blacklist', EXPECTED_IMPORT.bouncing + EXPECTED_RECIPIENTS.blacklisted);
}

async function verifyContacts(checks: Checks, api: ApiClient, prepared: Prepared): Promise<void> {
  const total = async (what: string, query: string, expected: number): Promise<void> =>
    checks.equal(what, await api.total(`/contacts${query}`), expected);
  await total('contacts', '', EXPECTED_IMPORT.imported);
  await total('contacts on the list', `?list_id=${prepared.list_id}`, EXPECTED_IMPORT.imported);
  await total('contacts with the tag', `?tag_id=${prepared.tag_id}`, EXPECTED_IMPORT.imported);
  await total('contacts with the status bounced', '?status=bounced', EXPECTED_IMPORT.bouncing);
  await total('contacts with the status unsubscribed', '?status=unsubscribed', EXPECTED_RECIPIENTS.unsubscribing);
  await total(
    'contacts with the status active',
    '?status=active',
    EXPECTED_IMPORT.imported - EXPECTED_IMPORT.bouncing - EXPECTED_RECIPIENTS.unsubscribing,
  );
  const found = await api.get(`/contacts?search=${encodeURIComponent(EXPECTED_IMPORT.first.email)}`);
  checks.equal('name of the first contact', found.text('data.0.full_name'), EXPECTED_IMPORT.first.full_name);
  checks.equal(
    'industry of the first contact',
    found.text('data.0.custom_fields.industry'),
    EXPECTED_IMPORT.first.industry,
  );
  checks.equal(
    'employees of the first contact',
    found.number('data.0.custom_fields.employees'),
    EXPECTED_IMPORT.first.employees,
  );
}

async function verifyStatistics(checks: Checks, api: ApiClient, prepared: Prepared): Promise<void> {
  const stats = await api.get(`/campaigns/${prepared.campaign_id}/stats`);
  const expected = {
    'enrollments.pending': 0,
    'enrollments.in_progress': 0,
    'enrollments.completed': EXPECTED_MESSAGES.follow_ups,
    'enrollments.failed': EXPECTED_IMPORT.bouncing + EXPECTED_RECIPIENTS.blacklisted,
    'enrollments.unsubscribed': EXPECTED_RECIPIENTS.unsubscribing,
    'messages.queued': 0,
    'messages.sent': EXPECTED_MESSAGES.first_touches,
    'messages.bounced': EXPECTED_IMPORT.bouncing,
    'messages.unsubscribed': EXPECTED_RECIPIENTS.unsubscribing,
    'messages.failed': 0,
    'messages.unknown': 0,
    'steps.0.sent': EXPECTED_MESSAGES.first_touches,
    'steps.1.sent': EXPECTED_MESSAGES.follow_ups,
  };
  for (const [path, count] of Object.entries(expected)) {
    checks.equal(`statistics, ${path}`, stats.number(`data.${path}`), count);
  }
  const account = await api.get(`/email-accounts/${prepared.account_id}/stats`);
  checks.equal('messages counted for the email account', account.number('data.total_sent'), EXPECTED_MESSAGES.all);
}

/** Compares the messages at the mail server with the sent messages in the API. */
export async function verifyMails(
  checks: Checks,
  api: ApiClient,
  prepared: Prepared,
  catcher: MailCatcher,
): Promise<void> {
  const { mails, refused, errors } = catcher;
  checks.none('connection errors at the mail server', errors);
  checks.equal('messages at the mail server', mails.length, EXPECTED_MESSAGES.all);
  checks.equal('rejected attempts at the mail server', refused.length, EXPECTED_IMPORT.bouncing);
  checks.equal('rejected addresses at the mail server', new Set(refused).size, EXPECTED_IMPORT.bouncing);
  const sent = await api.listAll(`/campaigns/${prepared.campaign_id}/messages?status=sent&per_page=100`);
  const arrived = new Set(mails.map((mail) => mail.message_id));
  const reported = new Set(sent.map((message) => message.text('message_id')));
  checks.equal('different Message-IDs at the mail server', arrived.size, EXPECTED_MESSAGES.all);
  checks.none(
    'messages sent according to the API that are not at the mail server',
    [...reported].filter((id) => !arrived.has(id)),
  );
  checks.none(
    'messages at the mail server that are not sent according to the API',
    [...arrived].filter((id) => !reported.has(id)),
  );
  checks.none(
    'accepted messages to rejected addresses',
    refused.filter((address) => mails.some((mail) => mail.to === address)),
  );
  checks.none(
    'blacklisted recipients who received a message',
    prepared.blacklisted.filter((address) => mails.some((mail) => mail.to === address)),
  );
  checks.none(
    'recipients of a message with an unrendered variable',
    recipients(mails.filter((mail) => mail.source.includes('{{'))),
  );
  checks.none(
    'recipients of a message without one-click headers',
    recipients(mails.filter((mail) => mail.one_click_url === undefined)),
  );
}

/**
 * Checks that each recipient received each step once, the follow-up as a reply, and that those who unsubscribed
 * received only the first message.
 */
export function verifyThreads(
  checks: Checks,
  mails: readonly CaughtMail[],
  unsubscribers: Pick<Unsubscribers, 'unsubscribed' | 'failures'>,
): void {
  const threads = new Map<string, CaughtMail[]>();
  for (const mail of mails) threads.set(mail.to, [...(threads.get(mail.to) ?? []), mail]);
  const lengths = [...threads].map(([address, mails]) => ({
    address,
    count: mails.length,
    unsubscribed: unsubscribers.unsubscribed.has(address),
  }));
  const deviating = (isExpected: (thread: { count: number; unsubscribed: boolean }) => boolean): string[] =>
    lengths.filter((thread) => !isExpected(thread)).map(({ address }) => address);
  checks.equal('recipients', threads.size, EXPECTED_MESSAGES.first_touches);
  checks.none(
    'recipients who received a message after they unsubscribed',
    deviating(({ count, unsubscribed }) => !unsubscribed || count === 1),
  );
  checks.none(
    'recipients without exactly one message of each step',
    deviating(({ count, unsubscribed }) => unsubscribed || count === 2),
  );
  const outOfThread = [...threads.values()].flatMap((mails) =>
    mails.filter((mail, step) => !isReplyTo(mail, mails[step - 1])),
  );
  checks.none('recipients of a follow-up outside its thread', recipients(outOfThread));
  checks.none('failed one-click unsubscribes', unsubscribers.failures);
  checks.equal('unsubscribed by one click', unsubscribers.unsubscribed.size, EXPECTED_RECIPIENTS.unsubscribing);
}

const isReplyTo = (mail: CaughtMail, before: CaughtMail | undefined): boolean =>
  mail.in_reply_to === before?.message_id;

const recipients = (mails: readonly CaughtMail[]): string[] => mails.map((mail) => mail.to);
