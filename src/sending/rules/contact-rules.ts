import type { StatementPart } from '@outreach/database';
import type { Schedule, TimingRule } from '@outreach/time-windows';
import type { Campaign } from '../../campaigns/index.js';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { CampaignFacts, PlannedFacts, PlanningLimit, SimulatedLimit } from './rule.js';
import { type FactsOf, rulesOf, type WaitReason } from './rules.js';

const CONTACT_RULES = rulesOf('contact');
const ENROLLMENT_RULES = rulesOf('enrollment', 'campaign');

export type ContactFacts = FactsOf<'contact'>;

/** What decides whether a running enrollment sends at all. */
export type StartFacts = FactsOf<'enrollment' | 'campaign'>;

/** The rules of a campaign for one of its enrollments, whatever its contact is. */
export const startRules = (facts: StartFacts): TimingRule<WaitReason>[] =>
  ENROLLMENT_RULES.flatMap((rule) => rule.timing(facts) ?? []);

export const campaignRules = (campaign: Pick<CampaignFacts, 'status'>): TimingRule<WaitReason>[] =>
  rulesOf('campaign').flatMap((rule) => rule.timing(campaign) ?? []);

export const contactRules = (campaign: CampaignFacts, contact: ContactFacts): TimingRule<WaitReason>[] =>
  CONTACT_RULES.flatMap((rule) => rule.timing(campaign, contact) ?? []);

/**
 * The reasons of messages that wait for their contact alone, or for another day of new contacts, so that they must not delay
 * those to other contacts.
 */
export const contactReasons = (schedule: Pick<Schedule, 'contact_timezone'> | null): string[] =>
  CONTACT_RULES.filter((rule) => !rule.isOfCampaign?.(schedule)).map(({ reason }) => reason);

/** The reasons of messages that a trigger releases when their contacts change. */
export const RELEASED_BY_CHANGE: readonly string[] = CONTACT_RULES.filter((rule) => rule.isReleasedByChange).map(
  ({ reason }) => reason,
);

/** The reasons for which the steps of most contacts stay due, if they wait for these alone. */
export const UNPLANNED_STEPS: readonly string[] = CONTACT_RULES.filter((rule) => rule.hasUnplannedSteps).map(
  ({ reason }) => reason,
);

/** A contact for whom a step is due. */
export interface StepRecipient {
  readonly contact_id: number;
  readonly step_id: number | null;
  /** The contact has to meet requirements of the step. */
  readonly has_requirements: boolean;
}

export type ReadContact = ContactFacts & {
  readonly contact_id: number;
  /** Another transaction is changing it: its facts are known later. */
  readonly is_changing: boolean;
};

/**
 * Returns what the rules of a campaign need to know of contacts, by contact, in one statement. It locks what ends the waits
 * until the transaction ends: who ends one meanwhile waits, and then sees what waits for it.
 */
export async function lockContactFacts(
  tx: WorkspaceScope,
  campaign: CampaignFacts,
  recipients: readonly StepRecipient[],
): Promise<ReadonlyMap<number, ReadContact>> {
  if (recipients.length === 0) return new Map();
  const { tables, columns, joins, isChanging } = factTables(tx, campaign, (clause) => clause);
  const rows = await tx.query<ReadContact>(
    sql`WITH recipient AS MATERIALIZED (
          SELECT * FROM unnest(${recipients.map((each) => each.contact_id)}::bigint[],
            ${recipients.map((each) => each.step_id)}::bigint[], ${recipients.map((each) => each.has_requirements)}::boolean[])
            AS recipient (contact_id, step_id, has_requirements)
        )${tables}
        SELECT recipient.contact_id, ${isChanging} AS is_changing${columns} FROM recipient${joins}`,
  );
  return new Map(rows.map((row) => [row.contact_id, row]));
}

/** SELECT expressions of further facts of enrollments, see {@link ContactRule.enrolled}. */
export const enrolledFacts = (scope: WorkspaceScope): Sql =>
  sql.join([...rulesOf('enrollment'), ...CONTACT_RULES].flatMap((rule) => rule.enrolled?.(scope) ?? []));

/** Parts of a statement that reads the facts of contacts, for the rows of `recipient`. */
export interface FactTables {
  /** Tables of WITH, each with a comma before it. */
  readonly tables: Sql;
  /** SELECT expressions, each with a comma before it. */
  readonly columns: Sql;
  /** The tables in FROM, after `recipient`. */
  readonly joins: Sql;
  /** SQL condition, see {@link ReadContact.is_changing}. */
  readonly isChanging: Sql;
}

/** Returns the parts of a statement for the rules that a campaign needs. @param lock keeps a locking clause, or leaves it out */
export function factTables(scope: WorkspaceScope, campaign: CampaignFacts, lock = NO_LOCK): FactTables {
  const needed = CONTACT_RULES.flatMap(({ reason, facts }) =>
    facts && (facts.isNeeded?.(campaign) ?? true) ? [{ ...facts, name: sql.ref(reason) }] : [],
  );
  const joined = (part: (table: (typeof needed)[number]) => Sql) => sql.join(needed.map(part), '');
  return {
    tables: joined(({ name, select }) => sql`, ${name} AS MATERIALIZED (${select(scope, lock)})`),
    columns: joined(({ columns }) => sql`, ${columns}`),
    joins: joined(({ name }) => sql` LEFT JOIN ${name} ON ${name}.contact_id = recipient.contact_id`),
    isChanging: sql`FALSE${joined((table) => sql` OR (${table.isChanging?.(scope) ?? sql`FALSE`})`)}`,
  };
}

const NO_LOCK = (_: Sql): Sql => sql.empty;

/** SELECT expressions of facts on the rows of a claim, and `checks_one_by_one`. */
export const claimedFacts = (scope: WorkspaceScope): Sql =>
  sql.join([
    ...CONTACT_RULES.flatMap((rule) => rule.claimed?.(scope) ?? []),
    sql`${CHECKS_ONE_BY_ONE} AS checks_one_by_one`,
  ]);

const CHECKS_ONE_BY_ONE = sql`message.reply_id IS NULL AND (${sql.join(
  CONTACT_RULES.flatMap((rule) => rule.checksOneByOne ?? []),
  ' OR ',
)})`;

/** Whether a claimed message may be sent at an instant, as far as that follows from the clock. */
export const isReservedAt = (campaign: CampaignFacts, message: ContactFacts, at: Date): boolean =>
  CONTACT_RULES.every((rule) => rule.isReserved?.(campaign, message, at) ?? true);

/** Whether the requirements of its step are read for a message that a rule has stopped. */
export const isOfStep = (stoppedBy: string | undefined): boolean =>
  CONTACT_RULES.some(({ reason, isOfStep: isStep }) => reason === stoppedBy && isStep);

const CHECKED_COLUMNS = CONTACT_RULES.flatMap(({ checkedColumn }) => (checkedColumn ? [sql.ref(checkedColumn)] : []));

/** SELECT expressions on `message`, each with a comma before it, for {@link isUnchanged}. */
export const checkedColumns = sql.join(
  CHECKED_COLUMNS.map((column) => sql`, message.${column}`),
  '',
);

/** SQL condition: `message` is as it was in `checked`. */
export const isUnchanged = sql.join(
  CHECKED_COLUMNS.map((column) => sql`message.${column} IS NOT DISTINCT FROM checked.${column}`),
  ' AND ',
);

/** SELECT expressions on the rows of the preflight check, by which the rules decide again while a server takes long. */
export const repeatedFacts = (scope: WorkspaceScope): Sql =>
  sql.join(CONTACT_RULES.flatMap((rule) => rule.repeated?.(scope) ?? []));

/** Parts of a statement that return what `ended`, rows of `queued_messages`, have reserved and do not need. */
export const refunds = (scope: WorkspaceScope, ended: Sql): StatementPart[] =>
  CONTACT_RULES.flatMap(({ reason, refund }) => (refund ? [{ name: reason, statement: refund(scope, ended) }] : []));

/** SELECT of the instants `at` at which planning of `campaign` continues by the clock, each with `UNION ALL` before it. */
export async function nextPlannings(scope: WorkspaceScope): Promise<Sql> {
  const selects = await Promise.all(CONTACT_RULES.flatMap((rule) => rule.nextPlanning?.(scope) ?? []));
  return sql.join(
    selects.map((select) => sql` UNION ALL ${select}`),
    '',
  );
}

const LIMITING = CONTACT_RULES.flatMap(({ reason, planning }) => (planning ? [{ ...planning, reason }] : []));

/** SQL expression: the reasons of the rules that limit what is planned of `campaign`. */
export const limitedBy: Sql = sql`array_remove(ARRAY[${sql.join(
  LIMITING.map(({ reason, isLimited }) => sql`CASE WHEN ${isLimited} THEN ${reason}::text END`),
)}], NULL)`;

/** Locks and returns what rules limit of the planning of a campaign; undefined if one of them has ended meanwhile. */
export async function lockPlanningLimits(
  tx: WorkspaceScope,
  campaign: PlannedFacts & { readonly limited_by: readonly string[] },
): Promise<readonly PlanningLimit[] | undefined> {
  const limits: PlanningLimit[] = [];
  for (const { reason, lock } of LIMITING) {
    if (!campaign.limited_by.includes(reason)) continue;
    const limit = await lock(tx, campaign);
    if (!limit) return undefined;
    limits.push(limit);
  }
  return limits;
}

/** Returns what rules count of the messages of a simulated campaign. */
export async function simulatedLimits(
  scope: WorkspaceScope,
  campaign: Campaign,
): Promise<readonly SimulatedLimit<ContactFacts>[]> {
  const limits = await Promise.all(CONTACT_RULES.flatMap((rule) => rule.estimate?.simulate?.(scope, campaign) ?? []));
  return limits.flatMap((limit) => limit ?? []);
}

/** The minutes that lie at least between two messages of a simulated campaign to a contact. */
export const minDelay = (campaign: CampaignFacts): number =>
  Math.max(0, ...CONTACT_RULES.map((rule) => rule.estimate?.minDelay?.(campaign) ?? 0));
