import { Injectable } from '@nestjs/common';
import { Log } from '../../platform/logging/index.js';
import { LeaseRenewer, WORKER } from '../../platform/queue/index.js';
import { DueWebhooks } from './due-webhooks.cross-tenant.js';

/** Renews the leases of the webhooks to which this process delivers. */
@Injectable()
export class WebhookLeases extends LeaseRenewer {
  constructor(
    private readonly due: DueWebhooks,
    log: Log,
  ) {
    super(log);
  }

  protected override renew(ids: readonly number[]): Promise<void> {
    return this.due.renew(WORKER, ids);
  }
}
