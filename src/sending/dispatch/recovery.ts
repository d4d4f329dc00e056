import { Injectable } from '@nestjs/common';
import { Log } from '../../platform/logging/index.js';
import { Scheduled } from '../../platform/queue/index.js';
import { LeaseRecovery } from './leases.cross-tenant.js';

const EVERY_SECONDS = 3;

/** Recovers the messages of dead workers every few seconds, in one process at a time. */
@Injectable()
export class Recovery {
  constructor(
    private readonly leases: LeaseRecovery,
    private readonly log: Log,
  ) {}

  @Scheduled('recover-messages', EVERY_SECONDS)
  async recover(): Promise<void> {
    const recovered = await this.leases.recover();
    if (recovered.returned + recovered.resent + recovered.unknown > 0) {
      this.log.warn('recovered messages of a dead worker', recovered);
    }
  }
}
