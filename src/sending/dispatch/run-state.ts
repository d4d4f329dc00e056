import type { EventTransitions } from '../../platform/concurrency/index.js';

/** What a run on an account does. `sending` is the only state in which its connections claim and begin messages. */
export type RunState =
  | 'sending'
  /** More messages may be due. */
  | 'ending'
  /** No message is due. */
  | 'empty'
  /** The run has returned: messages with slow servers are still on their way, and nothing of them changes its result. */
  | 'returned'
  | 'returned empty';

/** What happens in a run, on any of its connections. */
export type RunEvent =
  | 'attempt begins'
  | 'attempt ends'
  /** The time of the run is over, the process stops, or something has failed. */
  | 'time is up'
  /** The login was refused, or the provider limits the account or does not confirm messages. */
  | 'provider stops'
  | 'nothing is due'
  | 'run returns';

/** An attempt may begin in any state before the return: its connection took the message before another one ended the run. */
export const RUN_TRANSITIONS: EventTransitions<RunState, RunEvent> = {
  sending: {
    'attempt begins': 'sending',
    'attempt ends': 'sending',
    'time is up': 'ending',
    'provider stops': 'ending',
    'nothing is due': 'empty',
    // None of its connections could be opened.
    'run returns': 'returned',
  },
  ending: {
    'attempt begins': 'ending',
    'attempt ends': 'ending',
    'time is up': 'ending',
    'provider stops': 'ending',
    'nothing is due': 'empty',
    'run returns': 'returned',
  },
  empty: {
    'attempt begins': 'empty',
    'attempt ends': 'empty',
    'time is up': 'empty',
    'provider stops': 'empty',
    'nothing is due': 'empty',
    'run returns': 'returned empty',
  },
  returned: { 'attempt ends': 'returned', 'time is up': 'returned', 'provider stops': 'returned' },
  'returned empty': {
    'attempt ends': 'returned empty',
    'time is up': 'returned empty',
    'provider stops': 'returned empty',
  },
};
