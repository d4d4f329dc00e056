import { stateAfter } from '../../platform/concurrency/index.js';
import {
  DELIVERY_TRANSITIONS,
  type DeliveryState,
  type DeliveryStep,
  READ_TRANSITIONS,
  type ReadEvent,
  type ReadState,
  RunDeliveries,
} from './run-states.js';

const STEPS: readonly DeliveryStep[] = ['check', 'passed', 'stopped', 'attempt', 'delivered', 'failed', 'recorded'];
const READ_EVENTS: readonly ReadEvent[] = ['read begins', 'read ends', 'delivery ends'];

/** Every sequence of at most `length` of the events. */
function* sequences<T>(events: readonly T[], length: number, before: readonly T[] = []): Generator<readonly T[]> {
  yield before;
  if (before.length < length) for (const event of events) yield* sequences(events, length, [...before, event]);
}

describe('a delivery in the run of a webhook', () => {
  /** Where a delivery is after these steps; undefined if one of them is no transition. */
  const walk = (steps: readonly DeliveryStep[]): DeliveryState | undefined => {
    let state: DeliveryState | undefined = 'due';
    for (const step of steps) state = state && DELIVERY_TRANSITIONS[state][step];
    return state;
  };

  it('takes every order of steps that the table has, and refuses each other one', () => {
    const reached = new Set<DeliveryState>();
    for (const steps of sequences(STEPS, 5)) {
      const deliveries = new RunDeliveries();
      const end = walk(steps);
      const note = () => {
        for (const step of steps) deliveries.note(1, step);
      };
      // What has ended is forgotten, so that it may begin again as due.
      if (steps.slice(0, -1).some((_, index) => walk(steps.slice(0, index + 1)) === 'ended')) continue;
      if (end === undefined) expect(note).toThrow('cannot happen in the state');
      else note();
      if (end) reached.add(end);
      const isKnown = end !== undefined && end !== 'due' && end !== 'ended';
      expect([steps, deliveries.ids]).toEqual([steps, isKnown ? [1] : []]);
    }
    expect([...reached].sort()).toEqual(Object.keys(DELIVERY_TRANSITIONS).sort());
  });

  it('is attempted at most once, and only after a check', () => {
    for (const steps of sequences(STEPS, 6)) {
      if (walk(steps) === undefined) continue;
      const attempts = steps.filter((step) => step === 'attempt').length;
      expect([steps, attempts <= 1]).toEqual([steps, true]);
      if (attempts > 0) expect(steps[steps.indexOf('attempt') - 1]).toBe('passed');
    }
  });

  it('can end from every state', () => {
    const states = Object.keys(DELIVERY_TRANSITIONS) as DeliveryState[];
    for (const state of states) {
      const after = new Set<DeliveryState>([state]);
      for (const each of after) for (const next of Object.values(DELIVERY_TRANSITIONS[each])) after.add(next);
      expect([state, after.has('ended')]).toEqual([state, true]);
    }
  });
});

describe('the reads in the run of a webhook', () => {
  it('are stale if a delivery has ended since the last one began, in every order', () => {
    for (const events of sequences(READ_EVENTS, 7)) {
      const isReading = (index: number): boolean =>
        events.slice(0, index).lastIndexOf('read begins') > events.slice(0, index).lastIndexOf('read ends');
      const isPossible = events.every(
        (event, index) => event === 'delivery ends' || isReading(index) === (event === 'read ends'),
      );
      const walk = (): ReadState =>
        events.reduce<ReadState>((state, event) => stateAfter(READ_TRANSITIONS, state, event), 'stale');
      if (!isPossible) {
        expect(walk).toThrow('cannot happen in the state');
        continue;
      }
      const isStale = events.lastIndexOf('delivery ends') >= events.lastIndexOf('read begins');
      const [reading, idle] = isStale ? ['reading, stale', 'stale'] : ['reading', 'current'];
      expect([events, walk()]).toEqual([events, isReading(events.length) ? reading : idle]);
    }
  });
});
