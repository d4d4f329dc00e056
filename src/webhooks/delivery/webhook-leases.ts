import { Injectable } from '@nestjs/common';
import { LeaseRenewer, renewRows } from '@outreach/job-queue';
import type { Sql } from '../../platform/database/index.js';

/** Renews the leases of the webhooks to which this process delivers. */
@Injectable()
export class WebhookLeases extends LeaseRenewer {
  protected override renewal(ids: readonly number[], within: (workspaceId: Sql) => Sql): Sql {
    return renewRows('webhooks', { tenant: 'workspace_id', id: 'id' }, ids, within);
  }
}
