import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { sql } from '../../platform/database/index.js';
import { NotFound } from '../../platform/errors/index.js';
import { pathId, type ServiceRequest } from '../../platform/http/index.js';
import { OLDEST_INSTANT } from './logs.queries.js';

/** Responds with 404 if the webhook has no such log, before the body is validated. */
@Injectable()
export class WebhookLogGuard implements CanActivate {
  /** @throws NotFound */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { scope, params } = context.switchToHttp().getRequest<ServiceRequest>();
    const logs = await scope?.query(
      sql`SELECT 1 FROM webhook_logs
          WHERE workspace_id = ${scope} AND webhook_id = ${pathId(params.id)} AND id = ${pathId(params.log)}
            AND created_at >= ${OLDEST_INSTANT}`,
    );
    if (logs?.length === 0) throw new NotFound('Webhook log');
    return true;
  }
}
