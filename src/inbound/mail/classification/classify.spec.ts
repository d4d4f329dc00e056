import { reportedMail } from '../../../../test/support/reported-mail.js';
import { parseMail } from '../parse-mail.js';

const about = { message_id: 'AYcJAtpF-1RL_pL6@sender.example', address: 'bob@acme.example' };

async function contentOf(name: string) {
  const bytes = reportedMail(name, about);
  const parsed = await parseMail({ bytes, received_at: new Date('2026-12-21T10:00:00.000Z') });
  return 'content' in parsed ? parsed.content : undefined;
}

describe('the classification of a reply', () => {
  it.each([
    ['exchange-en', '2027-01-06'],
    ['exchange-fr', '2027-01-05'],
    ['exchange-de', '2027-01-05'],
    ['exchange-html', '2027-01-04'],
    ['gmail-vacation', '2026-12-26'],
    ['gmail-vacation-fr', '2027-01-05'],
    ['sieve', null],
    ['icloud', '2027-01-12'],
    ['yahoo', '2027-01-04'],
    ['gmx', '2027-01-04'],
    ['web-de-unmarked', '2027-01-04'],
    ['orange-unmarked', '2027-01-04'],
    ['ovh-roundcube', '2027-01-04'],
    ['cpanel', '2027-01-04'],
    ['postfix-admin', '2027-01-05'],
    ['domino', '2027-01-04'],
    ['ooo-without-date', null],
  ])('is out_of_office for the sample %s, with the day of return %s', async (name, returnsOn) => {
    expect(await contentOf(`automatic/${name}`)).toMatchObject({
      classification: 'out_of_office',
      returns_on: returnsOn,
    });
  });

  it.each([
    'exchange-shared-mailbox',
    'zendesk',
    'freshdesk',
    'jira',
    'otrs-de',
    'glpi-fr',
    'receipt-unmarked-fr',
    'receipt-unmarked-en',
    'noreply',
    'challenge',
  ])('is automatic for the sample %s', async (name) => {
    expect(await contentOf(`automatic/${name}`)).toMatchObject({ classification: 'automatic', returns_on: null });
  });

  it.each([
    'exchange-suppress',
    'exchange-redirected',
    'away-in-person',
    'about-automation',
    'normal-precedence',
    'urgent-ticket',
  ])('is reply for the mail of a person, the sample %s', async (name) => {
    expect(await contentOf(`people/${name}`)).toMatchObject({ classification: 'reply', returns_on: null });
  });
});
