import type { FairQueue } from '@outreach/concurrency';

/** The place of a drain among those that the tenants share in this process. */
export class DrainPlace {
  private release: (() => void) | undefined;

  constructor(
    private readonly places: FairQueue,
    private readonly tenantId: number,
  ) {}

  /** Runs a drain when its tenant has a place for it. */
  async run<R>(drain: () => Promise<R>): Promise<R> {
    await this.take();
    try {
      return await drain();
    } finally {
      this.leave();
    }
  }

  /**
   * Leaves the place to others while the drain only waits, e.g. for a server that takes minutes, and waits for a place after
   * that. Its key counts as drained meanwhile.
   */
  async waitWithout<R>(wait: () => Promise<R>): Promise<R> {
    this.leave();
    try {
      return await wait();
    } finally {
      await this.take();
    }
  }

  private async take(): Promise<void> {
    this.release = await this.places.acquire(this.tenantId);
  }

  private leave(): void {
    this.release?.();
    this.release = undefined;
  }
}
