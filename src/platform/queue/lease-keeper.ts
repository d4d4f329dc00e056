import { randomUUID } from 'node:crypto';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { Log } from '../logging/index.js';

/** Whose leases are this process's. */
export const WORKER = randomUUID();

/** How long a lease is believed to be alive without a sign of its worker. */
export const LEASE_SECONDS = 20;

const BEAT_MS = (LEASE_SECONDS * 1000) / 4;

/**
 * What this process has in hand. While it lives it renews its leases, so that a slow peer is not taken for a dead worker;
 * when it dies they run out within seconds.
 */
export abstract class LeaseKeeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly held = new Set<number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly log: Log) {}

  /** Lets the leases of {@link WORKER} on these records last {@link LEASE_SECONDS} from now. */
  protected abstract renew(ids: readonly number[]): Promise<void>;

  hold(id: number): void {
    this.held.add(id);
  }

  letGo(id: number): void {
    this.held.delete(id);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.beat(), BEAT_MS);
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** A beat that fails is made up by the next: a lease outlives three of them. */
  private async beat(): Promise<void> {
    if (this.held.size === 0) return;
    await this.renew([...this.held]).catch((error: unknown) => this.log.warn('leases could not be renewed', { error }));
  }
}
