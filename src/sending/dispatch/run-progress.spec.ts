import fc from 'fast-check';
import { LoginRefused, PROVIDERS, ProviderUnavailable, SmtpUnavailable } from '../../email-accounts/index.js';
import type { SendDecision } from '../results/index.js';
import type { ClaimedMessage } from './claim.queries.js';
import { RunProgress } from './run-progress.js';

const SEED = 20_261_127;
const MAX_UNCERTAIN = 5;

const smtp = { hasSession: true };
const sendgrid = { hasSession: false };
const unavailable = new ProviderUnavailable('It hangs up.');
const tooManySessions = new SmtpUnavailable('421 4.7.0 too many connections', {
  reply: { code: 421, enhanced: '4.7.0', response: '421 4.7.0 too many connections', phase: 'connection' },
});
const loginRefused = new LoginRefused('The server refused the user name and password.');
const message = { id: 1 } as ClaimedMessage;

/** One thing that happens on a connection. */
type Fact = (progress: RunProgress) => void;

const failed =
  (error: Error): Fact =>
  (progress) =>
    progress.noteFailed(message, error, true);
const decided =
  (decision: SendDecision, transport = smtp): Fact =>
  (progress) =>
    progress.noteDecision(decision, transport);

const FACTS: Readonly<Record<string, Fact>> = {
  'in progress': (progress) => progress.noteBegun(),
  opened: (progress) => progress.noteOpened(smtp),
  sent: decided({ kind: 'sent' }),
  'not confirmed': decided({ kind: 'uncertain' }, sendgrid),
  'not available': failed(unavailable),
  'too many sessions': failed(tooManySessions),
  'login refused': failed(loginRefused),
  limited: decided({ kind: 'limited', limit: 'day' }),
  empty: (progress) => progress.noteEmpty(),
  'time up': (progress) => progress.noteTimeUp(),
};

function runOf(names: readonly string[]): RunProgress {
  const progress = new RunProgress(PROVIDERS.smtp, MAX_UNCERTAIN);
  for (const name of names) FACTS[name]?.(progress);
  return progress;
}

const endOf = (...names: string[]): string => runOf(names).complete(false).kind;

describe('how a run ends', () => {
  it('does not depend on which connection was first', () => {
    const facts = fc.array(fc.constantFrom(...Object.keys(FACTS)), { minLength: 1, maxLength: 12 });
    const orders = facts.chain((names) =>
      fc.tuple(fc.constant(names), fc.shuffledSubarray(names, { minLength: names.length })),
    );
    fc.assert(
      fc.property(orders, ([one, other]) => {
        const [first, second] = [runOf(one), runOf(other)];
        expect(first.complete(false)).toEqual(second.complete(false));
        expect(first.takeFailed()).toHaveLength(second.takeFailed().length);
      }),
      { seed: SEED, numRuns: 2_000 },
    );
  });

  it('is for the provider, however many messages are due', () => {
    expect(endOf('empty', 'not available')).toBe('unavailable');
    expect(endOf('time up', 'not available')).toBe('unavailable');
    expect(endOf('empty', 'too many sessions', 'not available')).toBe('limited');
    expect(endOf('empty', 'sent', 'limited', 'login refused')).toBe('login refused');
    expect(endOf('empty', ...Array<string>(MAX_UNCERTAIN).fill('not confirmed'))).toBe('unavailable');
  });

  it('goes on with the sessions that the server takes', () => {
    for (const one of ['not available', 'too many sessions']) {
      const run = runOf(['opened', one, 'sent']);
      expect(run.isEnding).toBe(false);
      expect(run.hasServed).toBe(true);
      expect(run.complete(false)).toEqual({ kind: 'more' });
      expect(run.takeFailed()).toHaveLength(1);
    }
  });

  it('is done only if nothing is due and nothing has failed', () => {
    expect(endOf('sent', 'empty')).toBe('done');
    expect(endOf('opened', 'empty', 'not available')).toBe('more');
    expect(endOf('sent', 'time up')).toBe('more');
  });

  it('is not known while an attempt is in progress, or if other runs are served', () => {
    const run = runOf(['not available', 'in progress', 'time up']);
    expect(run.complete(false)).toEqual({ kind: 'more' });
    run.noteEnded();
    expect(run.complete(true)).toEqual({ kind: 'more' });
    expect(run.complete(false).kind).toBe('unavailable');
  });
});
