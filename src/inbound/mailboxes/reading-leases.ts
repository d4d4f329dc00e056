import { Injectable } from '@nestjs/common';
import { Log } from '../../platform/logging/index.js';
import { LeaseRenewer } from '../../platform/queue/index.js';
import { DueReadings } from './due-readings.cross-tenant.js';

/** Renews the leases of the mailboxes that this process reads. */
@Injectable()
export class ReadingLeases extends LeaseRenewer {
  constructor(
    private readonly due: DueReadings,
    log: Log,
  ) {
    super(log);
  }

  protected override renew(ids: readonly number[]): Promise<void> {
    return this.due.renew(ids);
  }
}
