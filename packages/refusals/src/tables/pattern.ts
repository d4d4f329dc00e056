import type { RefusalCause } from '../refusal.js';

/** Words of servers, and what they mean. */
export interface CausePattern<C extends RefusalCause = RefusalCause> {
  readonly cause: C;
  /** Compared with the words in lower case, without codes, addresses, links and host names. Runs in linear time. */
  readonly words: RegExp;
}
