import { LocalWindows } from './local-windows.js';
import type { WindowState, WindowStore } from './windows.js';

type States = ReadonlyMap<string, WindowState>;

/** How long a request waits for the store. */
const TIMEOUT_MS = 1_000;
/** How long the store is not used after it has failed. */
const RETRY_AFTER_MS = 1_000;

/**
 * Counts in this process while the store fails or takes longer than a second, so that a quota holds then too, for each
 * process by itself, and requests do not wait.
 */
export class FallbackWindows implements WindowStore {
  private readonly local = new LocalWindows();
  private running = 0;
  private retryAt = 0;

  /** @param onFailure is called when the store fails or is slow, at most once a second */
  constructor(
    private readonly store: WindowStore,
    private readonly onFailure: (error: unknown) => void,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  async add(requests: ReadonlyMap<string, number>, seconds: number): Promise<States> {
    if (this.running > 0 || performance.now() < this.retryAt) return this.local.add(requests, seconds);
    try {
      return await this.addToStore(requests, seconds);
    } catch (error) {
      this.retryAt = performance.now() + RETRY_AFTER_MS;
      this.onFailure(error);
      return this.local.add(requests, seconds);
    }
  }

  async close(): Promise<void> {
    await this.store.close();
  }

  /** After the timeout the call continues, and the store is not used again before it has ended. */
  private async addToStore(requests: ReadonlyMap<string, number>, seconds: number): Promise<States> {
    this.running += 1;
    const added = this.store.add(requests, seconds).finally(() => (this.running -= 1));
    added.catch(() => undefined);
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      const error = (): Error => new Error(`The quota store did not respond within ${this.timeoutMs} ms.`);
      timer = setTimeout(() => reject(error()), this.timeoutMs).unref();
    });
    try {
      return await Promise.race([added, timeout]);
    } finally {
      clearTimeout(timer);
    }
  }
}
