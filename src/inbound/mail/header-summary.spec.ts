import { summaryOf } from './header-summary.js';

const header = (...lines: string[]): Buffer => Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);

describe('summaryOf', () => {
  it('returns the senders and what a mail refers to', () => {
    const fields = ['From: Bob <Bob@Acme.example>', 'Subject: Re: Hello', 'In-Reply-To: <2@x.example>'];
    expect(summaryOf(header(...fields, 'References: <1@x.example> <2@x.example>'))).toEqual({
      is_certain: false,
      is_unmarked: false,
      message_ids: ['2@x.example', '1@x.example'],
      addresses: ['bob@acme.example'],
    });
  });

  it('returns at most 20 Message-IDs of a header that is full of them, and five addresses', () => {
    const ids = Array.from({ length: 1_000 }, (_, number) => `<${number}@x.example>`);
    const senders = Array.from({ length: 300 }, (_, number) => `${number}@a.example`);
    const summary = summaryOf(header(`From: ${senders.join(',')}`, `References: ${ids.join(' ')}`));
    expect(summary.message_ids).toHaveLength(20);
    expect(summary.message_ids.at(-1)).toBe('999@x.example');
    expect(summary.addresses).toHaveLength(5);
  });

  it('ignores fields that are not used, however many there are', () => {
    const others = Array.from({ length: 5_400 }, (_, number) => `${number}:`);
    const summary = summaryOf(header('From: bob@acme.example', ...others));
    expect(summary).toMatchObject({ is_certain: false, is_unmarked: true, addresses: ['bob@acme.example'] });
  });

  it('takes a mail for certain that may be a report or a request, or whose header is not complete', () => {
    const certain = [
      header('From: MAILER-DAEMON@x.example', 'Subject: Undelivered'),
      header('From: bob@acme.example', 'Subject: unsubscribe me'),
      Buffer.from('From: bob@acme.example\r\nSubject: He'),
    ];
    expect(certain.map((each) => summaryOf(each).is_certain)).toEqual([true, true, true]);
  });
});
