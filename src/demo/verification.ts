import type { Api } from './api.js';
import type { Checks } from './checks.js';
import { CAST, FILE, SENT } from './expectations.js';
import type { Leavers } from './leavers.js';
import type { MailCatcher } from './mail-catcher.js';
import type { Prepared } from './preparation.js';
import type { ReceivedMail } from './received-mail.js';

/** What the import and the enrollment must have answered. */
export function verifyPreparation(checks: Checks, { imported, enrolled }: Prepared): void {
  checks.equal('rows of the file', imported.number('data.total'), FILE.total);
  checks.equal('contacts imported', imported.number('data.imported'), FILE.imported);
  checks.equal('contacts updated by the import', imported.number('data.updated'), 0);
  checks.equal('rows skipped', imported.number('data.skipped'), FILE.skipped);
  checks.equal('rows refused', imported.number('data.failed'), FILE.failed);
  const rows = imported.list('data.errors').map((error) => error.number('row'));
  checks.equal('which rows were refused', rows.join(), FILE.failed_rows.join());
  checks.equal('contacts enrolled', enrolled.number('data.enrolled'), FILE.imported);
  checks.equal('contacts not enrolled', enrolled.number('data.skipped'), 0);
}

/** What the API must say afterwards. */
export async function verifyRecords(checks: Checks, api: Api, prepared: Prepared): Promise<void> {
  await verifyContacts(checks, api, prepared);
  await verifyStatistics(checks, api, prepared);
  const total = async (what: string, path: string, expected: number): Promise<void> =>
    checks.equal(what, await api.total(path), expected);
  const messages = `/campaigns/${prepared.campaign_id}/messages?status`;
  await total('messages with the status sent', `${messages}=sent`, SENT.all);
  await total('messages with the status bounced', `${messages}=bounced`, FILE.dead);
  await total('messages with the status cancelled', `${messages}=cancelled`, CAST.blacklisted);
  await total(
    'messages in all',
    `/campaigns/${prepared.campaign_id}/messages`,
    SENT.all + FILE.dead + CAST.blacklisted,
  );
  await total('blacklisted because they bounced', '/blacklist?reason=bounce', FILE.dead);
  await total('blacklisted in all', '/blacklist', FILE.dead + CAST.blacklisted);
}

async function verifyContacts(checks: Checks, api: Api, prepared: Prepared): Promise<void> {
  const total = async (what: string, query: string, expected: number): Promise<void> =>
    checks.equal(what, await api.total(`/contacts${query}`), expected);
  await total('contacts', '', FILE.imported);
  await total('contacts on the list', `?list_id=${prepared.list_id}`, FILE.imported);
  await total('contacts with the tag', `?tag_id=${prepared.tag_id}`, FILE.imported);
  await total('contacts with the status bounced', '?status=bounced', FILE.dead);
  await total('contacts with the status unsubscribed', '?status=unsubscribed', CAST.leaving);
  await total('contacts with the status active', '?status=active', FILE.imported - FILE.dead - CAST.leaving);
  const found = await api.get(`/contacts?search=${encodeURIComponent(FILE.first.email)}`);
  checks.equal('name of the first contact', found.text('data.0.full_name'), FILE.first.full_name);
  checks.equal('industry of the first contact', found.text('data.0.custom_fields.industry'), FILE.first.industry);
  checks.equal('employees of the first contact', found.number('data.0.custom_fields.employees'), FILE.first.employees);
}

async function verifyStatistics(checks: Checks, api: Api, prepared: Prepared): Promise<void> {
  const stats = await api.get(`/campaigns/${prepared.campaign_id}/stats`);
  const expected = {
    'enrollments.pending': 0,
    'enrollments.in_progress': 0,
    'enrollments.completed': SENT.follow_ups,
    'enrollments.failed': FILE.dead + CAST.blacklisted,
    'enrollments.unsubscribed': CAST.leaving,
    'messages.queued': 0,
    'messages.sent': SENT.first_touches,
    'messages.bounced': FILE.dead,
    'messages.unsubscribed': CAST.leaving,
    'messages.failed': 0,
    'messages.unknown': 0,
    'steps.0.sent': SENT.first_touches,
    'steps.1.sent': SENT.follow_ups,
  };
  for (const [path, count] of Object.entries(expected)) {
    checks.equal(`statistics, ${path}`, stats.number(`data.${path}`), count);
  }
  const account = await api.get(`/email-accounts/${prepared.account_id}/stats`);
  checks.equal('messages counted for the email account', account.number('data.total_sent'), SENT.all);
}

/** What the mail server must have got, compared with what the API says was sent. */
export async function verifyMails(checks: Checks, api: Api, prepared: Prepared, catcher: MailCatcher): Promise<void> {
  const { mails, refused, faults } = catcher;
  checks.none('faults at the mail server', faults);
  checks.equal('messages at the mail server', mails.length, SENT.all);
  checks.equal('refused by the mail server', refused.length, FILE.dead);
  checks.equal('addresses refused', new Set(refused).size, FILE.dead);
  const sent = await api.all(`/campaigns/${prepared.campaign_id}/messages?status=sent&per_page=100`);
  const arrived = new Set(mails.map((mail) => mail.message_id));
  const said = new Set(sent.map((message) => message.text('message_id')));
  checks.equal('different Message-IDs at the mail server', arrived.size, SENT.all);
  checks.none(
    'sent, but not at the mail server',
    [...said].filter((id) => !arrived.has(id)),
  );
  checks.none(
    'at the mail server, but not sent',
    [...arrived].filter((id) => !said.has(id)),
  );
  checks.none(
    'to addresses that nobody has',
    refused.filter((address) => mails.some((mail) => mail.to === address)),
  );
  checks.none(
    'blacklisted, but written to',
    prepared.blacklisted.filter((address) => mails.some((mail) => mail.to === address)),
  );
  checks.none('with a variable left in it', recipients(mails.filter((mail) => mail.source.includes('{{'))));
  checks.none('without one-click headers', recipients(mails.filter((mail) => mail.one_click_url === undefined)));
}

/** Each recipient must have got each step once, the follow-up as a reply; those who left nothing after the first. */
export function verifyThreads(
  checks: Checks,
  mails: readonly ReceivedMail[],
  leavers: Pick<Leavers, 'gone' | 'failures'>,
): void {
  const threads = new Map<string, ReceivedMail[]>();
  for (const mail of mails) threads.set(mail.to, [...(threads.get(mail.to) ?? []), mail]);
  const lengths = [...threads].map(([address, mails]) => ({
    address,
    has: mails.length,
    left: leavers.gone.has(address),
  }));
  const not = (wanted: (thread: { has: number; left: boolean }) => boolean): string[] =>
    lengths.filter((thread) => !wanted(thread)).map(({ address }) => address);
  checks.equal('recipients', threads.size, SENT.first_touches);
  checks.none(
    'unsubscribed, but written to again',
    not(({ has, left }) => !left || has === 1),
  );
  checks.none(
    'without exactly one message of each step',
    not(({ has, left }) => left || has === 2),
  );
  const torn = [...threads.values()].flatMap((mails) =>
    mails.filter((mail, step) => !continues(mail, mails[step - 1])),
  );
  checks.none('follow-ups outside their thread', recipients(torn));
  checks.none('one-click unsubscribes that failed', leavers.failures);
  checks.equal('unsubscribed by one click', leavers.gone.size, CAST.leaving);
}

const continues = (mail: ReceivedMail, before: ReceivedMail | undefined): boolean =>
  mail.in_reply_to === before?.message_id;

const recipients = (mails: readonly ReceivedMail[]): string[] => mails.map((mail) => mail.to);
