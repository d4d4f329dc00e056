import { groupReports, reportedBy, type ReportedMessage, reportsIn } from './reports.js';

const NOW = new Date('2026-11-21T08:30:00.000Z');
const seconds = (date: Date): number => Math.floor(date.getTime() / 1000);
const base = { email: 'bob@acme.example', timestamp: seconds(NOW), outreach_message_id: 'a@sender.example' };
const read = (...events: unknown[]): ReportedMessage[] =>
  reportsIn('sendgrid', events).map((event) => reportedBy(event, NOW));
const reportIn = (event: object) => read({ ...base, ...event })[0]?.report;

describe('reportedBy', () => {
  it.each([
    ['delivered', { response: '250 OK' }, { kind: 'delivered' }],
    ['spamreport', {}, { kind: 'complained' }],
    ['unsubscribe', {}, { kind: 'unsubscribed' }],
    ['group_unsubscribe', { asm_group_id: 1 }, { kind: 'unsubscribed' }],
    ['open', { useragent: 'x' }, { kind: 'opened' }],
    ['click', { url: 'https://acme.example/?a=1' }, { kind: 'clicked', url: 'https://acme.example/?a=1' }],
  ])('reads the event %s', (event, fields, report) => {
    expect(reportIn({ event, ...fields })).toEqual({ ...report, source: 'provider', occurred_at: NOW });
  });

  it.each([
    ['bounce', { type: 'bounce', status: '5.1.1', reason: '550 5.1.1 No such user' }, 'hard', '5.1.1'],
    ['bounce', { type: 'bounce', status: '5.0.0', reason: '500 unknown recipient' }, 'hard', '500'],
    ['bounce', { type: 'bounce', status: '', reason: '550 no such user' }, 'hard', '550'],
    ['bounce', { type: 'bounce', status: '', reason: '550 unknown' }, 'soft', '550'],
    ['bounce', { type: 'bounce', status: '5.1.8', reason: '550 5.1.8 Sender domain not found' }, 'soft', '5.1.8'],
    ['bounce', { type: 'bounce', status: '5.1.1', reason: '550 5.1.1 listed at zen.spamhaus.org' }, 'soft', '5.1.1'],
    ['bounce', { reason: '550 refused', bounce_classification: 'Invalid Address' }, 'hard', '550'],
    ['bounce', { reason: '550 your IP is blocked', bounce_classification: 'Invalid Address' }, 'soft', '550'],
    ['bounce', { status: '5.1.1', reason: '550 no', bounce_classification: 'Reputation' }, 'soft', '5.1.1'],
    ['bounce', { status: '5.1.1', reason: '550 no', bounce_classification: 'Unclassified' }, 'hard', '5.1.1'],
    ['bounce', { status: '5.1.1', reason: 'gone' }, 'hard', '5.1.1'],
    ['bounce', { type: 'bounce', status: '5.2.2', reason: '552 5.2.2 Mailbox full' }, 'soft', '5.2.2'],
    ['bounce', { type: 'bounce', status: '5.7.1', reason: '550 5.7.1 Policy' }, 'soft', '5.7.1'],
    ['bounce', { type: 'bounce', status: '4.4.7', reason: 'expired at 198.5.1.1' }, 'soft', '4.4.7'],
    ['bounce', { type: 'blocked', status: '5.1.1', reason: '550 5.1.1 Blocked' }, 'soft', '5.1.1'],
    ['bounce', { type: 'blocked', reason: 'Connection from 198.5.1.1 refused' }, 'soft', null],
    ['dropped', { reason: 'Bounced Address', status: '5.0.0' }, 'hard', '5.0.0'],
    ['dropped', { reason: 'Invalid' }, 'hard', null],
    ['dropped', { reason: 'Invalid SMTPAPI header' }, 'soft', null],
    ['dropped', { reason: 'Spam Reporting Address' }, 'soft', null],
    ['dropped', { reason: 'Unsubscribed Address' }, 'soft', null],
  ])('reads %s %j as a %s bounce with the code %s', (event, fields, type, code) => {
    expect(reportIn({ event, ...fields })).toEqual({
      kind: 'bounced',
      bounce: { type, code, message: fields.reason },
      address: 'bob@acme.example',
      source: 'provider',
      occurred_at: NOW,
    });
  });

  it('ignores events that are not final, and values that are not events', () => {
    const nothing = ['processed', 'deferred', 'group_resubscribe', 'account_status_change', '', 7, undefined];
    expect(read(...nothing.map((event) => ({ ...base, event })))).toEqual([]);
    expect(
      read(null, 7, 'delivered', [], [{}], {}, { event: 'delivered' }, { ...base, outreach_message_id: 7 }),
    ).toEqual([]);
  });

  it('finds the message ID in the header if the custom argument is missing', () => {
    const event = { event: 'delivered', timestamp: seconds(NOW), 'smtp-id': '<b@sender.example>' };
    expect(read(event)[0]?.message_id).toBe('b@sender.example');
  });

  it.each([
    [seconds(NOW) - 86_400, '2026-11-20T08:30:00.000Z'],
    [String(seconds(NOW) - 1), '2026-11-21T08:29:59.000Z'],
    [undefined, NOW.toISOString()],
    ['soon', NOW.toISOString()],
    [-5, NOW.toISOString()],
    [1e300, NOW.toISOString()],
    [{}, NOW.toISOString()],
  ])('reads the timestamp %j as %s', (timestamp, expected) => {
    expect(reportIn({ event: 'delivered', timestamp })?.occurred_at?.toISOString()).toBe(expected);
  });

  it('turns the reason into one line of at most 500 characters of valid Unicode', () => {
    const report = reportIn({ event: 'bounce', reason: ` 550\0 no\r\n\tsuch \ud800${'x'.repeat(9000)}` });
    expect(report).toMatchObject({ bounce: { message: expect.stringMatching(/^550 no such \ufffdx{487}$/) } });
    expect(reportIn({ event: 'bounce' })).toMatchObject({ bounce: { message: 'SendGrid: bounce' } });
  });

  it('reads nothing of a provider that does not exist, or has no events', () => {
    for (const provider of ['smtp', 'toString']) expect(reportsIn(provider, [{ ...base, event: 'open' }])).toEqual([]);
  });

  it('groupReports sorts the reports by time, and groups equal ones', () => {
    const at = (offset: number) => seconds(NOW) - offset;
    const events = [
      { ...base, event: 'open', timestamp: at(1) },
      { ...base, event: 'delivered', timestamp: at(9) },
      { ...base, event: 'delivered', timestamp: at(5), outreach_message_id: 'c@x.test' },
      { ...base, event: 'delivered', timestamp: at(9), outreach_message_id: 'b@x.test' },
    ];
    const grouped = groupReports(read(...events)).map((each) => [each.report.kind, each.message_ids]);
    expect(grouped).toEqual([
      ['delivered', ['a@sender.example', 'b@x.test']],
      ['delivered', ['c@x.test']],
      ['opened', ['a@sender.example']],
    ]);
  });
});
