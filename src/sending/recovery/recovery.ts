import { Injectable } from '@nestjs/common';
import { Log } from '../../platform/logging/index.js';
import { Every } from '../../platform/queue/index.js';
import { LeaseRecovery } from './recovery.crossing.js';

const EVERY_SECONDS = 3;

/** Looks after what dead workers have left behind, once for all processes. */
@Injectable()
export class Recovery {
  constructor(
    private readonly leases: LeaseRecovery,
    private readonly log: Log,
  ) {}

  @Every(EVERY_SECONDS)
  async recover(): Promise<void> {
    const recovered = await this.leases.recover();
    if (recovered.returned + recovered.resent + recovered.held > 0) {
      this.log.warn('messages of a worker that is gone were taken up', recovered);
    }
  }
}
