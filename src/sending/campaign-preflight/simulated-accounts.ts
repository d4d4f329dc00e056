import { earliestInstant, type SendingRule } from '../../campaigns/index.js';
import { type AccountFacts, accountRules } from '../timing/index.js';
import { addAccounts, afterSending, meanGap, remainingOn, utcDay } from './account-days.js';

/** More accounts are simulated as so many, each with the limits of some of them together. */
const MAX_ACCOUNTS = 20;
/** An account with a gap sends what fits into this time at once: half an hour, at whose ends most schedules end. */
const BLOCK_MS = 1_800_000;
/** What was sent at once. */
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
  readonly rule: SendingRule = {
    reason: 'daily_limit',
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
    const day = utcDay(at);
    const left = this.accounts.map((account) => capacityAt(account, at));
    const total = left.reduce((sum, capacity) => sum + capacity, 0);
    const count = Math.min(max, total);
    let [taken, last] = [0, at];
    for (const [index, account] of this.accounts.entries()) {
      const share = Math.min(left[index] ?? 0, count - taken, Math.ceil((count * (left[index] ?? 0)) / total));
      if (share === 0) continue;
      taken += share;
      const end = new Date(at.getTime() + (share - 1) * meanGap(account));
      if (end > last) last = end;
      this.accounts[index] = afterSending(account, { at: end, day, count: share });
    }
    return { count, last };
  }
}

/** How many messages an account may send at an instant, or until the end of its half hour if it has a gap. */
function capacityAt(account: AccountFacts, at: Date): number {
  if (earliestInstant(at, accountRules(account)).at?.getTime() !== at.getTime()) return 0;
  const left = remainingOn(account, utcDay(at));
  const gap = meanGap(account);
  return gap === 0 ? left : Math.min(left, Math.ceil((BLOCK_MS - (at.getTime() % BLOCK_MS)) / gap));
}

/** Puts accounts together until there are at most {@link MAX_ACCOUNTS}. */
function together(accounts: readonly AccountFacts[]): AccountFacts[] {
  const size = Math.ceil(accounts.length / MAX_ACCOUNTS);
  if (size <= 1) return [...accounts];
  const sorted = [...accounts].sort((a, b) => a.daily_limit - b.daily_limit || meanGap(a) - meanGap(b));
  return Array.from({ length: Math.ceil(sorted.length / size) }, (_, index) =>
    sorted.slice(index * size, (index + 1) * size).reduce(addAccounts),
  );
}
