import { parseCaughtMail } from './caught-mail.js';

const source = (...lines: string[]): string => [...lines, '', 'Message-ID: <not@a.header>'].join('\r\n');

describe('parseCaughtMail', () => {
  it('reads folded headers and headers in any case', () => {
    const mail = parseCaughtMail(
      'zoe@example.com',
      source(
        'message-id: <second@example.com>',
        'In-Reply-To:\r\n <first@example.com>',
        'List-Unsubscribe: <http://127.0.0.1/u/',
        '\ttoken>',
        'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
      ),
      7,
    );
    expect(mail).toMatchObject({
      to: 'zoe@example.com',
      message_id: 'second@example.com',
      in_reply_to: 'first@example.com',
      one_click_url: 'http://127.0.0.1/u/token',
      at: 7,
    });
  });

  it('returns a one-click URL only if both headers are present', () => {
    const mail = parseCaughtMail('zoe@example.com', source('List-Unsubscribe: <http://127.0.0.1/u/token>'), 0);
    expect(mail).toMatchObject({ message_id: '', in_reply_to: undefined, one_click_url: undefined });
  });
});
