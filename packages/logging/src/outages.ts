import { LRUCache } from 'lru-cache';
import type { RepeatedLines } from './repeated-lines.js';

/** Mail servers of many accounts may be away at the same time. */
const MAX_OUTAGES = 1_000;

interface Outage {
  readonly since: number;
  isLogged: boolean;
}

/**
 * What cannot be reached at present, by name. Each beginning and each end is logged once. Of a connection that comes and goes,
 * the beginnings within ten seconds, and their ends, are left out.
 */
export class Outages {
  private readonly outages = new LRUCache<string, Outage>({ max: MAX_OUTAGES });

  constructor(
    private readonly lines: Pick<RepeatedLines, 'admit'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @returns whether the loss is to be logged */
  begin(name: string): boolean {
    const outage = this.outages.get(name) ?? { since: this.now(), isLogged: false };
    this.outages.set(name, outage);
    if (outage.isLogged) return false;
    outage.isLogged = this.lines.admit(`lost ${name}`) !== undefined;
    return outage.isLogged;
  }

  /** @returns how many milliseconds it has lasted; undefined if its end is not to be logged */
  end(name: string): number | undefined {
    const outage = this.outages.get(name);
    if (!outage) return undefined;
    this.outages.delete(name);
    return outage.isLogged ? Math.round(this.now() - outage.since) : undefined;
  }
}
