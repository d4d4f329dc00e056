import { randomUUID } from 'node:crypto';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { Log } from '../logging/index.js';

/** Whose leases are this process's. */
export const WORKER = randomUUID();

/** How long a lease is believed to be alive without a sign of its worker. */
export const LEASE_SECONDS = 20;

const RENEWAL_INTERVAL_MS = (LEASE_SECONDS * 1000) / 4;

/**
 * What this process has in hand. While it lives it renews its leases, so that a slow peer is not taken for a dead worker;
 * when it dies they run out within seconds.
 */
export abstract class LeaseRenewer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly leased = new Set<number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly log: Log) {}

  /** Lets the leases of {@link WORKER} on these records last {@link LEASE_SECONDS} from now. */
  protected abstract renew(ids: readonly number[]): Promise<void>;

  acquire(id: number): void {
    this.leased.add(id);
  }

  release(id: number): void {
    this.leased.delete(id);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.renewAll(), RENEWAL_INTERVAL_MS);
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** A beat that fails is made up by the next: a lease outlives three of them. */
  private async renewAll(): Promise<void> {
    if (this.leased.size === 0) return;
    await this.renew([...this.leased]).catch((error: unknown) =>
      this.log.warn('leases could not be renewed', { error }),
    );
  }
}
