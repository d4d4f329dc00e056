import fc from 'fast-check';
import { LoginRefused, ProviderUnavailable, SmtpUnavailable } from '@outreach/mail-sessions';
import { PROVIDERS } from '../../email-accounts/index.js';
import { stateAfter } from '../../platform/concurrency/index.js';
import type { SendDecision } from '../results/index.js';
import type { ClaimedMessage } from './claim.queries.js';
import { RunProgress } from './run-progress.js';
import { RUN_TRANSITIONS, type RunEvent, type RunState } from './run-state.js';

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
  'in progress': (progress) => progress.note('begin'),
  opened: (progress) => progress.noteOpened(smtp),
  sent: decided({ kind: 'sent' }),
  'not confirmed': decided({ kind: 'uncertain' }, sendgrid),
  'not available': failed(unavailable),
  'too many sessions': failed(tooManySessions),
  'login refused': failed(loginRefused),
  limited: decided({ kind: 'limited', limit: 'day' }),
  empty: (progress) => progress.note('nothing due'),
  'time up': (progress) => progress.note('time up'),
};

function runOf(names: readonly string[]): RunProgress {
  const progress = new RunProgress(PROVIDERS.smtp, MAX_UNCERTAIN);
  for (const name of names) FACTS[name]?.(progress);
  return progress;
}

const endOf = (...names: string[]): string => runOf(names).end(false).kind;

/** Every order of every choice of at most `length` of the names. */
function* ordersOf(names: readonly string[], length: number, before: readonly string[] = []): Generator<string[]> {
  yield [...before];
  if (before.length === length) return;
  for (const name of names.filter((each) => !before.includes(each))) yield* ordersOf(names, length, [...before, name]);
}

describe('how a run ends', () => {
  it('does not depend on which connection was first', () => {
    const facts = fc.array(fc.constantFrom(...Object.keys(FACTS)), { minLength: 1, maxLength: 12 });
    const orders = facts.chain((names) =>
      fc.tuple(fc.constant(names), fc.shuffledSubarray(names, { minLength: names.length })),
    );
    fc.assert(
      fc.property(orders, ([one, other]) => {
        const [first, second] = [runOf(one), runOf(other)];
        expect(first.end(false)).toEqual(second.end(false));
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
      expect(run.end(false)).toEqual({ kind: 'more' });
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
    expect(run.end(false)).toEqual({ kind: 'more' });
    run.noteEnded();
    expect(run.end(true)).toEqual({ kind: 'more' });
    expect(run.end(false).kind).toBe('unavailable');
  });

  it('is the same in every order of up to four things, and does not change with the return', () => {
    const ends = new Map<string, string>();
    for (const order of ordersOf(Object.keys(FACTS), 4)) {
      const run = runOf(order);
      const end = run.end(false).kind;
      run.note('return');
      expect([order, run.end(false).kind]).toEqual([order, end]);
      const facts = [...order].sort().join();
      expect([order, end]).toEqual([order, ends.get(facts) ?? end]);
      ends.set(facts, end);
    }
    expect(ends.size).toBeGreaterThan(300);
  });

  it('is the same if the provider stops the run before its return or after it', () => {
    const late = [
      'opened',
      'sent',
      'not confirmed',
      'not available',
      'too many sessions',
      'login refused',
      'limited',
      'time up',
    ];
    for (const order of ordersOf(late, 4)) {
      for (let at = 0; at <= order.length; at += 1) {
        const run = runOf(order.slice(0, at));
        run.note('return');
        for (const name of order.slice(at)) FACTS[name]?.(run);
        expect([order, at, run.end(false).kind]).toEqual([order, at, endOf(...order)]);
      }
    }
  });
});

describe('the states of a run', () => {
  const states = Object.keys(RUN_TRANSITIONS) as RunState[];
  const events = [...new Set(Object.values(RUN_TRANSITIONS).flatMap((each) => Object.keys(each)))] as RunEvent[];
  const walk = (path: readonly RunEvent[]): RunState =>
    path.reduce<RunState>((state, event) => stateAfter(RUN_TRANSITIONS, state, event), 'sending');
  const isBefore = (state: RunState): boolean => 'return' in RUN_TRANSITIONS[state];

  it('are reached in every order of events, or the event is an error', () => {
    const reached = new Map<RunState, readonly RunEvent[]>([['sending', []]]);
    for (const [state, path] of reached)
      for (const event of events) {
        const next = RUN_TRANSITIONS[state][event];
        if (next) reached.set(next, reached.get(next) ?? [...path, event]);
        else expect(() => walk([...path, event])).toThrow(`"${event}" cannot happen in the state "${state}".`);
      }
    expect([...reached.keys()].sort()).toEqual([...states].sort());
  });

  it('let a run return from each of them once, and begin nothing after that', () => {
    expect(states.filter((state) => !isBefore(state))).toEqual(['returned', 'returned empty']);
    for (const state of states)
      for (const event of events) {
        const next = RUN_TRANSITIONS[state][event];
        if (isBefore(state)) expect([state, event, next]).toEqual([state, event, expect.any(String)]);
        else if (next) expect([event, next]).toEqual([expect.not.stringMatching(/begin|due|return/), state]);
      }
  });

  it('never lead back to one in which messages begin', () => {
    for (const state of states.filter((each) => each !== 'sending'))
      expect(Object.values(RUN_TRANSITIONS[state])).not.toContain('sending');
  });
});
