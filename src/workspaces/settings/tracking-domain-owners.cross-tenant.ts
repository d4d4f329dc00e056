import { Conflict, defineReason } from '@outreach/http-errors';
import { onViolation, type Sql, sql } from '../../platform/database/index.js';

const DOMAIN_TAKEN = defineReason(
  'tracking_domain_taken',
  409,
  'Another workspace has got the tracking domain at the same time.',
);
onViolation(
  'tracking_domain_owner',
  () => new Conflict(DOMAIN_TAKEN, 'Another workspace has just verified this tracking domain.'),
);

/** Returns SQL for whether no other workspace has a verified tracking domain. The index `tracking_domain_owner` guarantees it. */
export const isFree = (domain: Sql, workspaceId: Sql): Sql =>
  sql`NOT EXISTS (SELECT 1 FROM workspaces owner WHERE owner.tracking_domain = ${domain}
    AND owner.tracking_domain_verified_at IS NOT NULL AND owner.id <> ${workspaceId})`;
