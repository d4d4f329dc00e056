import { randomUUID } from 'node:crypto';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { Log } from '../logging/index.js';

/** The owner of this process's leases. */
export const WORKER = randomUUID();

/** How long a lease is valid after its last renewal. */
export const LEASE_SECONDS = 20;

const RENEWAL_INTERVAL_MS = (LEASE_SECONDS * 1000) / 4;

/**
 * Renews the leases of this process while it runs, so that others do not take a slow worker for a dead one. When the
 * process dies, its leases expire within seconds. An expired lease may be renewed until another process takes it, which
 * changes `leased_by`.
 */
export abstract class LeaseRenewer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly leased = new Set<number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly log: Log) {}

  /** Extends the leases of {@link WORKER} on these records to {@link LEASE_SECONDS} from now. */
  protected abstract renew(ids: readonly number[]): Promise<void>;

  /** Renews the lease on this record from now on. */
  acquire(id: number): void {
    this.leased.add(id);
  }

  /** Stops renewing the lease on this record. */
  release(id: number): void {
    this.leased.delete(id);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.renewRegularly(), RENEWAL_INTERVAL_MS);
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Renews all leases now. A process that judges the leases of others calls it first, because it may have stalled. */
  async renewAll(): Promise<void> {
    if (this.leased.size > 0) await this.renew([...this.leased]);
  }

  /** A renewal that fails is repeated by the next: a lease is valid for four intervals. */
  private async renewRegularly(): Promise<void> {
    await this.renewAll().catch((error: unknown) => this.log.warn('cannot renew leases', { error }));
  }
}
