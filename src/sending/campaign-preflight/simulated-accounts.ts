import { earliestInstant, type TimingRule } from '@outreach/time-windows';
import {
  type AccountFacts,
  accountRules,
  addAccounts,
  afterSending,
  compareAccounts,
  simulatedCapacity,
  simulatedInterval,
} from '../rules/index.js';

/** More accounts are simulated as so many, each with the limits of some of them together. */
const MAX_ACCOUNTS = 20;
export interface SentGroup {
  readonly count: number;
  /** When the last one was sent. */
  readonly last: Date;
}

/** Accounts that send the messages of an estimate, by the rules of real ones. */
export class SimulatedAccounts {
  private readonly accounts: AccountFacts[];

  constructor(accounts: readonly AccountFacts[]) {
    this.accounts = together(accounts.filter((account) => account.is_active));
  }

  /** Allows the first instant at which one of the accounts may send. */
  readonly rule: TimingRule = {
    reason: 'accounts',
    next: (instant) => {
      let first: Date | null = null;
      for (const account of this.accounts) {
        const { at } = earliestInstant(instant, accountRules(account));
        if (at?.getTime() === instant.getTime()) return instant;
        if (at && (!first || at < first)) first = at;
      }
      return first;
    },
  };

  /** Sends up to `max` messages at an instant that the rule allows, from all accounts that may send then. */
  send(max: number, at: Date): SentGroup {
    const left = this.accounts.map((account) => capacityAt(account, at));
    const total = left.reduce((sum, capacity) => sum + capacity, 0);
    const count = Math.min(max, total);
    let [taken, last] = [0, at];
    for (const [index, account] of this.accounts.entries()) {
      const share = Math.min(left[index] ?? 0, count - taken, Math.ceil((count * (left[index] ?? 0)) / total));
      if (share === 0) continue;
      taken += share;
      const end = new Date(at.getTime() + (share - 1) * simulatedInterval(account));
      if (end > last) last = end;
      this.accounts[index] = afterSending(account, { from: at, at: end, count: share });
    }
    return { count, last };
  }
}

/** How many messages an account may send at an instant, or until the end of its half hour if it has a gap. */
const capacityAt = (account: AccountFacts, at: Date): number =>
  earliestInstant(at, accountRules(account)).reason === null ? simulatedCapacity(account, at) : 0;

/** Puts accounts together until there are at most {@link MAX_ACCOUNTS}. */
function together(accounts: readonly AccountFacts[]): AccountFacts[] {
  const size = Math.ceil(accounts.length / MAX_ACCOUNTS);
  if (size <= 1) return [...accounts];
  const sorted = [...accounts].sort(compareAccounts);
  return Array.from({ length: Math.ceil(sorted.length / size) }, (_, index) =>
    sorted.slice(index * size, (index + 1) * size).reduce(addAccounts),
  );
}
