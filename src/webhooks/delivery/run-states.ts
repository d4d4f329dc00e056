import { stateAfter, type EventTransitions } from '../../platform/concurrency/index.js';

/** Where a delivery is in a run. It begins as `due`; with `ended` the run forgets it. */
export type DeliveryState = 'due' | 'checking' | 'checked' | 'attempting' | 'recording' | 'ended';
export type DeliveryStep = 'check' | 'passed' | 'stopped' | 'attempt' | 'delivered' | 'failed' | 'recorded';

export const DELIVERY_TRANSITIONS: EventTransitions<DeliveryState, DeliveryStep> = {
  due: { check: 'checking' },
  checking: { passed: 'checked', stopped: 'ended' },
  // A check that has become too old is repeated.
  checked: { check: 'checking', attempt: 'attempting' },
  attempting: { delivered: 'recording', failed: 'ended' },
  recording: { recorded: 'ended' },
  ended: {},
};

/** What a run knows of the due deliveries: `stale` if there may be others than those that it has read. */
export type ReadState = 'stale' | 'reading' | 'reading, stale' | 'current';
export type ReadEvent = 'read begins' | 'read ends' | 'delivery ends';

export const READ_TRANSITIONS: EventTransitions<ReadState, ReadEvent> = {
  stale: { 'read begins': 'reading', 'delivery ends': 'stale' },
  reading: { 'read ends': 'current', 'delivery ends': 'reading, stale' },
  'reading, stale': { 'read ends': 'stale', 'delivery ends': 'reading, stale' },
  // Of a backlog the next part is read.
  current: { 'read begins': 'reading', 'delivery ends': 'stale' },
};

/** The deliveries that a run has begun to check and that have not ended. */
export class RunDeliveries {
  private readonly states = new Map<number, DeliveryState>();

  get ids(): number[] {
    return [...this.states.keys()];
  }

  /** Returns how many deliveries are in one of these states. */
  count(...states: readonly DeliveryState[]): number {
    let count = 0;
    for (const state of this.states.values()) if (states.includes(state)) count += 1;
    return count;
  }

  /** Notes what happens to a delivery. @throws Error if that cannot happen in its state; then it is forgotten */
  note(id: number, step: DeliveryStep): void {
    const before = this.states.get(id) ?? 'due';
    this.states.delete(id);
    const after = stateAfter(DELIVERY_TRANSITIONS, before, step);
    if (after !== 'ended') this.states.set(id, after);
  }
}
