import { Checks } from './checks.js';
import { type CaughtMail, parseCaughtMail } from '../mail/caught-mail.js';
import { verifyThreads } from './verification.js';

const first = (to: string): CaughtMail => parseCaughtMail(to, `Message-ID: <first-${to}>`, 0);
const reply = (to: string, parent = `first-${to}`): CaughtMail =>
  parseCaughtMail(to, `Message-ID: <second-${to}>\r\nIn-Reply-To: <${parent}>`, 1);

function deviations(mails: readonly CaughtMail[], unsubscribed: readonly string[] = []): string {
  const checks = new Checks();
  verifyThreads(checks, mails, { unsubscribed: new Set(unsubscribed), failures: [] });
  // These two checks expect the number of recipients of the demo, and the tests have fewer.
  return checks.deviations.filter((line) => !/^(recipients|unsubscribed by one click):/.test(line)).join('\n');
}

describe('verifyThreads', () => {
  it('accepts a first message with its follow-up, and a first message alone if the recipient unsubscribed', () => {
    expect(deviations([first('a@x'), first('b@x'), reply('a@x')], ['b@x'])).toBe('');
  });

  it('names recipients who received a message after they unsubscribed', () => {
    expect(deviations([first('b@x'), reply('b@x')], ['b@x'])).toBe(
      'recipients who received a message after they unsubscribed: b@x; expected none',
    );
  });

  it('names recipients who received too few or too many messages', () => {
    expect(deviations([first('a@x'), first('c@x'), reply('c@x'), reply('c@x')])).toContain(
      'recipients without exactly one message of each step: a@x, c@x; expected none',
    );
  });

  it('names recipients whose follow-up is a reply to another message', () => {
    expect(deviations([first('a@x'), reply('a@x', 'first-b@x')])).toBe(
      'recipients of a follow-up outside its thread: a@x; expected none',
    );
  });
});
