import { Checks } from './checks.js';
import { type CaughtMail, parseCaughtMail } from '../mail/caught-mail.js';
import { verifyThreads } from './verification.js';

const first = (to: string): CaughtMail => parseCaughtMail(to, `Message-ID: <first-${to}>`, 0);
const reply = (to: string, parent = `first-${to}`): CaughtMail =>
  parseCaughtMail(to, `Message-ID: <second-${to}>\r\nIn-Reply-To: <${parent}>`, 1);

function deviations(mails: readonly CaughtMail[], unsubscribed: readonly string[] = []): string {
  const checks = new Checks();
  verifyThreads(checks, mails, { unsubscribed: new Set(unsubscribed), failures: [] });
  // These two count everybody, and there are fewer people here.
  return checks.deviations.filter((line) => !/^(recipients|unsubscribed by one click):/.test(line)).join('\n');
}

describe('the check of the threads', () => {
  it('has nothing to say of a first message and its reply, nor of one who left after the first', () => {
    expect(deviations([first('a@x'), first('b@x'), reply('a@x')], ['b@x'])).toBe('');
  });

  it('names who was written to after leaving', () => {
    expect(deviations([first('b@x'), reply('b@x')], ['b@x'])).toBe(
      'unsubscribed, but written to again: b@x; there must be none',
    );
  });

  it('names who got a message too few or too many', () => {
    expect(deviations([first('a@x'), first('c@x'), reply('c@x'), reply('c@x')])).toContain(
      'without exactly one message of each step: a@x, c@x; there must be none',
    );
  });

  it('names whose follow-up answers another message', () => {
    expect(deviations([first('a@x'), reply('a@x', 'first-b@x')])).toBe(
      'follow-ups outside their thread: a@x; there must be none',
    );
  });
});
