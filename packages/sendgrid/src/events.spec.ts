import { readEvent } from './index.js';

const event = (fields: object) => ({ outreach_message_id: 'a@b.example', timestamp: 1_600_000_000, ...fields });

describe('an event of SendGrid', () => {
  it.each([
    [{ event: 'delivered' }, { kind: 'delivered' }],
    [{ event: 'spamreport' }, { kind: 'complained' }],
    [{ event: 'group_unsubscribe' }, { kind: 'unsubscribed' }],
    [
      { event: 'open', sg_machine_open: true },
      { kind: 'opened', is_machine: true },
    ],
    [
      { event: 'click', url: 'https://a.example' },
      { kind: 'clicked', url: 'https://a.example' },
    ],
  ])('%j reports %j', (fields, report) => {
    expect(readEvent(event(fields))).toEqual({ message_id: 'a@b.example', occurred_at: 1_600_000_000_000, ...report });
  });

  it.each([
    [{ type: 'bounce' }, undefined],
    [{ type: 'blocked' }, 'other'],
    [{ bounce_classification: 'Reputation' }, 'other'],
    [{ bounce_classification: 'Invalid Address' }, 'dead_address'],
    [{ bounce_classification: 'Unclassified' }, undefined],
  ])('with %j says of a bounce: %s', (fields, meaning) => {
    const bounce = { event: 'bounce', email: 'c@d.example', reason: '550 No', status: '5.0.0' };
    expect(readEvent(event({ ...bounce, ...fields }))).toMatchObject({
      kind: 'bounced',
      address: 'c@d.example',
      failure: { text: '550 No', status: '5.0.0', meaning, fallback: 'SendGrid: bounce' },
    });
  });

  it('names its email by the header if it has no argument of ours', () => {
    expect(readEvent({ event: 'delivered', 'smtp-id': ' <a@b.example> ' })).toMatchObject({
      message_id: 'a@b.example',
    });
  });

  it.each([undefined, null, 'text', {}, { event: 'delivered' }, event({ event: 'processed' }), event({})])(
    'is not %j',
    (value) => {
      expect(readEvent(value)).toBeUndefined();
    },
  );
});
