import { Injectable } from '@nestjs/common';
import { Log } from '../../platform/logging/index.js';
import { LeaseRenewer, WORKER } from '../../platform/queue/index.js';
import { LeaseRenewal } from './leases.cross-tenant.js';

/** The leases on the messages that this process has claimed. */
@Injectable()
export class MessageLeases extends LeaseRenewer {
  constructor(
    private readonly renewal: LeaseRenewal,
    log: Log,
  ) {
    super(log);
  }

  protected override renew(ids: readonly number[]): Promise<void> {
    return this.renewal.renew(WORKER, ids);
  }
}
