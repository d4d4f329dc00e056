import { Injectable } from '@nestjs/common';
import type { Sql } from '../../platform/database/index.js';
import { LeaseRenewer, renewRows } from '../../platform/queue/index.js';

/** Renews the leases of the webhooks to which this process delivers. */
@Injectable()
export class WebhookLeases extends LeaseRenewer {
  protected override renewal(ids: readonly number[]): Sql {
    return renewRows('webhooks', 'id', ids);
  }
}
