import { LRUCache } from 'lru-cache';

/** For how long due work may wait, without any worker having touched it, for a worker that has capacity. */
export const MAX_UNTOUCHED_SECONDS = 60;

/** Work that has waited while no worker ran, or until a clock was put forward, is found once before it is begun. */
const CONFIRMED_AFTER_MS = 10_000;

const MS_PER_SECOND = 1000;
/** Beyond this number, keys count as not begun. */
const MAX_BEGUN_KEYS = 10_000;

/** Decides whether a worker leaves due work alone although it could begin it. */
export class StallCheck {
  private readonly begun = new LRUCache<string, true>({
    max: MAX_BEGUN_KEYS,
    ttl: MAX_UNTOUCHED_SECONDS * MS_PER_SECOND,
    ttlResolution: 0,
    perf: { now: () => this.now() },
  });
  private suspect: { readonly key: string; readonly since: number } | undefined;

  /** @param now milliseconds of any clock that does not go back */
  constructor(private readonly now = (): number => performance.now()) {}

  /** This worker begins to drain a key. One whose drain fails is not left alone. */
  noteBegun(key: string): void {
    this.begun.set(key, true);
  }

  /**
   * @param untouched the keys with work that has been due for {@link MAX_UNTOUCHED_SECONDS} and that no worker has touched
   *   since, as far as this one has capacity for them; in the same order each time
   * @returns whether one of them was also untouched ten seconds ago
   */
  isStalled(untouched: readonly string[]): boolean {
    const key = untouched.find((each) => !this.begun.has(each));
    if (key === undefined) {
      this.suspect = undefined;
      return false;
    }
    if (this.suspect?.key !== key) this.suspect = { key, since: this.now() };
    return this.now() - this.suspect.since >= CONFIRMED_AFTER_MS;
  }
}
