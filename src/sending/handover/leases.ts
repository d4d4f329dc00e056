import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Log } from '../../platform/logging/index.js';
import { LeaseRenewal } from '../recovery/recovery.crossing.js';
import { LEASE_SECONDS } from './claim.queries.js';
import { WORKER } from './worker-id.js';

const BEAT_MS = (LEASE_SECONDS * 1000) / 4;

/**
 * The messages that this process has in hand. While it lives it renews their leases, so that a slow mail server is not
 * taken for a dead worker; when it dies they run out within seconds.
 */
@Injectable()
export class Leases implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly held = new Set<number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly renewal: LeaseRenewal,
    private readonly log: Log,
  ) {}

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
    await this.renewal
      .renew(WORKER, [...this.held])
      .catch((error: unknown) => this.log.warn('leases could not be renewed', { error }));
  }
}
