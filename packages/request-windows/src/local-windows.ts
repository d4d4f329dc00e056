import { LRUCache } from 'lru-cache';
import type { WindowState, WindowStore } from './windows.js';

/** The least recently used windows beyond this number are removed. */
const MAX_WINDOWS = 10_000;

interface LocalWindow {
  requests: number;
  readonly endsAt: number;
}

/** Stores windows in the memory of this process. */
export class LocalWindows implements WindowStore {
  private readonly windows = new LRUCache<string, LocalWindow>({ max: MAX_WINDOWS });

  async add(requests: ReadonlyMap<string, number>, seconds: number): Promise<ReadonlyMap<string, WindowState>> {
    const now = performance.now();
    return new Map(
      [...requests].map(([key, count]) => {
        const window = this.window(key, now, seconds);
        window.requests += count;
        return [key, { requests: window.requests, ends_in_ms: window.endsAt - now }];
      }),
    );
  }

  async close(): Promise<void> {
    this.windows.clear();
  }

  private window(key: string, now: number, seconds: number): LocalWindow {
    const current = this.windows.get(key);
    if (current && current.endsAt > now) return current;
    const started = { requests: 0, endsAt: now + seconds * 1000 };
    this.windows.set(key, started);
    return started;
  }
}
