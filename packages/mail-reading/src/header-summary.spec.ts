import { HeaderFields } from './header-fields.js';
import { summarizeHeader } from './header-summary.js';
import { isUnmarked } from './mail-server.js';

const header = (...lines: string[]): Buffer => Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);

describe('summarizeHeader', () => {
  it('returns the senders and what a mail refers to', () => {
    const fields = ['From: Bob <Bob@Acme.example>', 'Subject: Re: Hello', 'In-Reply-To: <2@x.example>'];
    expect(summarizeHeader(header(...fields, 'References: <1@x.example> <2@x.example>'))).toEqual({
      is_certain: false,
      is_unmarked: false,
      message_ids: ['2@x.example', '1@x.example'],
      addresses: ['bob@acme.example'],
    });
  });

  it('returns at most 20 Message-IDs of a header that is full of them, and five addresses', () => {
    const ids = Array.from({ length: 1_000 }, (_, number) => `<${number}@x.example>`);
    const senders = Array.from({ length: 300 }, (_, number) => `${number}@a.example`);
    const summary = summarizeHeader(header(`From: ${senders.join(',')}`, `References: ${ids.join(' ')}`));
    expect(summary.message_ids).toHaveLength(20);
    expect(summary.message_ids.at(-1)).toBe('999@x.example');
    expect(summary.addresses).toHaveLength(5);
  });

  it.each<[string, readonly string[]]>([
    ['the latest of the references', ['References: {others}', ' <own@x.example>']],
    ['the first of the references', ['References: <own@x.example>', ' {others}', 'In-Reply-To: <last@b.example>']],
    ['what it replies to', ['References: {others}', 'In-Reply-To: <own@x.example>']],
    ['what it replies to, in a field before', ['in-reply-to : ', '\t<own@x.example>', 'REFERENCES:{others}']],
  ])('finds a message in a thread of 60 mails if it is %s', (_, fields) => {
    const others = Array.from({ length: 60 }, (_other, number) => `<${number}@b.example>`).join('\r\n\t');
    const lines = fields.map((field) => field.replace('{others}', others));
    for (const text of [header(...lines), Buffer.from(`${lines.join('\n').replaceAll('\r\n', '\n')}\n\n`)])
      expect(summarizeHeader(text).message_ids).toContain('own@x.example');
  });

  it('decides by the same fields as the whole header whether a mail may be a report without a sign', () => {
    const notice = ['From: Mail System <system@b.example>', 'Content-Type: text/plain', 'Subject: About your message'];
    const signs = ['In-Reply-To:', 'References:', 'User-Agent: Mutt', 'X-Mailer: Apple Mail', 'List-Id: <a.example>'];
    const others = ['List-Post: <mailto:a@b.example>', 'Precedence: list', 'Subject: Re: Hello', 'X-Other: other', ''];
    for (const sign of [...signs, ...others]) {
      const lines = sign.startsWith('Subject') ? [sign, ...notice] : [...notice, ...(sign === '' ? [] : [sign])];
      const text = header(...lines);
      const whole = HeaderFields.parse(text.toString());
      expect([sign, summarizeHeader(text).is_unmarked]).toEqual([sign, isUnmarked(whole)]);
    }
    expect(summarizeHeader(header(...notice, 'X-Mailer: Apple Mail')).is_unmarked).toBe(false);
  });

  it('ignores fields that are not used, however many there are', () => {
    const others = Array.from({ length: 5_400 }, (_, number) => `${number}:`);
    const summary = summarizeHeader(header('From: bob@acme.example', ...others));
    expect(summary).toMatchObject({ is_certain: false, is_unmarked: true, addresses: ['bob@acme.example'] });
  });

  it('takes a mail for certain that may be a report or a request, or whose header is not complete', () => {
    const certain = [
      header('From: MAILER-DAEMON@x.example', 'Subject: Undelivered'),
      header('From: bob@acme.example', 'Subject: unsubscribe me'),
      Buffer.from('From: bob@acme.example\r\nSubject: He'),
    ];
    expect(certain.map((each) => summarizeHeader(each).is_certain)).toEqual([true, true, true]);
  });
});
