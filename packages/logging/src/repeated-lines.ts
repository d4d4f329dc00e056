import { LRUCache } from 'lru-cache';

const INTERVAL_MS = 10_000;
const MAX_LINES = 1_000;

interface WrittenLine {
  readonly at: number;
  repeated: number;
}

/** Leaves a line out that was written within the last ten seconds: during an outage the same one comes many times a second. */
export class RepeatedLines {
  private readonly lines = new LRUCache<string, WrittenLine>({ max: MAX_LINES });

  /** @param now the time in milliseconds */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * @param key what makes lines equal
   * @returns how many equal lines were left out since the last one; undefined if this one is to be left out
   */
  admit(key: string): number | undefined {
    const last = this.lines.get(key);
    if (last && this.now() - last.at < INTERVAL_MS) {
      last.repeated += 1;
      return undefined;
    }
    this.lines.set(key, { at: this.now(), repeated: 0 });
    return last?.repeated ?? 0;
  }
}
