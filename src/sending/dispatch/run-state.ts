import type { EventTransitions } from '../../platform/concurrency/index.js';

/**
 * What a run on an account does. Its connections begin messages while it is `sending`. When it is `ending`, more may be due,
 * and when it is `empty`, nothing is. Once it has `returned`, messages of slow servers may still be on their way.
 */
export type RunState = 'sending' | 'ending' | 'empty' | 'returned' | 'returned empty';

/**
 * What happens on any connection. `begin`: an attempt, also if another connection has just ended the run. `time up`: also if
 * the process stops or something has failed. `stop`: the provider refuses, limits or does not confirm.
 */
export type RunEvent = 'begin' | 'time up' | 'stop' | 'nothing due' | 'return';

export const RUN_TRANSITIONS: EventTransitions<RunState, RunEvent> = {
  sending: { begin: 'sending', 'time up': 'ending', stop: 'ending', 'nothing due': 'empty', return: 'returned' },
  ending: { begin: 'ending', 'time up': 'ending', stop: 'ending', 'nothing due': 'empty', return: 'returned' },
  empty: { begin: 'empty', 'time up': 'empty', stop: 'empty', 'nothing due': 'empty', return: 'returned empty' },
  returned: { 'time up': 'returned', stop: 'returned' },
  'returned empty': { 'time up': 'returned empty', stop: 'returned empty' },
};
