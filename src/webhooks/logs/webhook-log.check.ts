import { Injectable } from '@nestjs/common';
import { NotFound } from '@outreach/http-errors';
import { pathId } from '@outreach/http-api/requests';
import { sql } from '../../platform/database/index.js';
import type { RecordCheck } from '../../platform/http/records/index.js';
import type { ServiceRequest } from '../../platform/http/requests/index.js';
import { oldestInstant } from './logs.queries.js';

/** Responds with 404 if the webhook has no such log. */
@Injectable()
export class WebhookLogCheck implements RecordCheck {
  /** @throws NotFound */
  async check({ scope, params }: ServiceRequest): Promise<void> {
    if (!scope) throw new NotFound('Webhook log');
    const logs = await scope.query(
      sql`SELECT 1 FROM webhook_logs
          WHERE workspace_id = ${scope} AND webhook_id = ${pathId(params.id)} AND id = ${pathId(params.log)}
            AND created_at >= ${oldestInstant(scope)}`,
    );
    if (logs.length === 0) throw new NotFound('Webhook log');
  }
}
