import type { EnrollmentStatus } from '../../campaigns/index.js';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/** What is counted per campaign and step. Each counts recipients, so a recipient counts once. */
export const COUNTED = [
  'queued',
  'sent',
  'delivered',
  'opened',
  'opened_raw',
  'clicked',
  'clicked_raw',
  'replied',
  'bounced',
  'complained',
  'unsubscribed',
  'failed',
  'unknown',
] as const;
export type Counts = Record<(typeof COUNTED)[number], number>;

const recipients = (condition: ReturnType<typeof sql>) =>
  sql`count(DISTINCT message.enrollment_id) FILTER (WHERE ${condition})`;

/** SQL of {@link Counts} of rows of `message`. */
export const MESSAGE_COUNTS = sql.join([
  sql`${recipients(sql`message.status IN ('queued', 'sending')`)} AS queued`,
  sql`${recipients(sql`message.sent_at IS NOT NULL`)} AS sent`,
  sql`${recipients(sql`message.delivered_at IS NOT NULL`)} AS delivered`,
  sql`${recipients(sql`message.opened_at IS NOT NULL`)} AS opened`,
  sql`${recipients(sql`message.opened_at IS NOT NULL OR message.bot_opens > 0 OR message.bot_clicks > 0`)} AS opened_raw`,
  sql`${recipients(sql`message.clicked_at IS NOT NULL`)} AS clicked`,
  sql`${recipients(sql`message.clicked_at IS NOT NULL OR message.bot_clicks > 0`)} AS clicked_raw`,
  sql`${recipients(sql`message.replied_at IS NOT NULL`)} AS replied`,
  sql`${recipients(sql`message.bounced_at IS NOT NULL`)} AS bounced`,
  sql`${recipients(sql`message.complained_at IS NOT NULL`)} AS complained`,
  sql`${recipients(sql`message.unsubscribed_at IS NOT NULL`)} AS unsubscribed`,
  sql`${recipients(sql`message.status = 'failed'`)} AS failed`,
  sql`${recipients(sql`message.status = 'unknown'`)} AS unknown`,
]);

/** The {@link MESSAGE_COUNTS} of the row `found`, 0 if there is none. */
const FOUND_COUNTS = sql.join(COUNTED.map((name) => sql`coalesce(found.${sql.ref(name)}, 0) AS ${sql.ref(name)}`));

/** Returns the counts of a campaign. Answers to replies count for their accounts alone. */
export async function campaignCounts(scope: WorkspaceScope, campaignId: number): Promise<Counts> {
  const [counts] = await scope.query<Counts>(
    sql`SELECT ${MESSAGE_COUNTS} FROM all_messages message
        WHERE message.workspace_id = ${scope} AND message.campaign_id = ${campaignId}
          AND message.reply_id IS NULL`,
  );
  if (!counts) throw new Error('The statement returned no row.');
  return counts;
}

/** Returns the counts of each step of a campaign, in the order of the steps. */
export function stepCounts(
  scope: WorkspaceScope,
  campaignId: number,
): Promise<(Counts & { step_id: number; position: number })[]> {
  return scope.query(
    sql`SELECT step.id AS step_id, step.position, ${MESSAGE_COUNTS} FROM campaign_steps step
        LEFT JOIN all_messages message ON message.workspace_id = ${scope} AND message.campaign_id = ${campaignId}
          AND message.step_id = step.id
        WHERE step.workspace_id = ${scope} AND step.campaign_id = ${campaignId}
        GROUP BY step.id, step.position ORDER BY step.position`,
  );
}

export type VariantCounts = Counts & { readonly step_id: number; readonly variant_id: number; readonly name: string };

/** Returns the counts of each variant of the steps of a campaign, in the order of the variants. */
export const variantCounts = (scope: WorkspaceScope, campaignId: number): Promise<VariantCounts[]> =>
  scope.query<VariantCounts>(selectVariantCounts(scope, campaignId));

/** SELECT of the {@link VariantCounts} of a campaign. It reads each message once, however many variants there are. */
export const selectVariantCounts = (scope: WorkspaceScope, campaignId: number): Sql =>
  sql`SELECT variant.step_id, variant.id AS variant_id, variant.name, ${FOUND_COUNTS} FROM campaign_steps step
      JOIN step_variants variant ON variant.workspace_id = ${scope} AND variant.step_id = step.id
      LEFT JOIN (
        SELECT message.step_id, message.variant_id, ${MESSAGE_COUNTS} FROM all_messages message
        WHERE message.workspace_id = ${scope} AND message.campaign_id = ${campaignId} AND message.variant_id IS NOT NULL
        GROUP BY message.step_id, message.variant_id) found
        ON found.step_id = step.id AND found.variant_id = variant.id
      WHERE step.workspace_id = ${scope} AND step.campaign_id = ${campaignId}
      ORDER BY variant.step_id, variant.position`;

export async function enrollmentCounts(
  scope: WorkspaceScope,
  campaignId: number,
): Promise<Record<EnrollmentStatus, number>> {
  const rows = await scope.query<{ status: EnrollmentStatus; total: number }>(
    sql`SELECT status, count(*) AS total FROM enrollments
        WHERE workspace_id = ${scope} AND campaign_id = ${campaignId} GROUP BY status`,
  );
  const none = { pending: 0, in_progress: 0, completed: 0, failed: 0, unsubscribed: 0 };
  return { ...none, ...Object.fromEntries(rows.map(({ status, total }) => [status, total])) };
}
