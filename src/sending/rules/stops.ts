import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { Stop } from './rule.js';
import { RULES, rulesOf, type WaitReason } from './rules.js';

/** The stops of all rules, in their order, with those by whose timing they are repeated. */
const STOPS = RULES.flatMap(({ reason, level, stop }) => (stop ? [{ ...stop, reason, level }] : []));
const REPEATED_BY_TIMING = new Set<WaitReason>(
  rulesOf('contact').flatMap((rule) => (rule.repeated ? [rule.reason] : [])),
);

/** WHEN clauses of CASE: the reasons why `message` must not be sent. */
export const stopConditions = (scope: WorkspaceScope): Sql => clauses(scope, STOPS);

/** Like {@link stopConditions}, for a message that is being sent, without what the timing of rules decides again. */
export const repeatedConditions = (scope: WorkspaceScope): Sql =>
  clauses(
    scope,
    STOPS.filter(({ reason, isOnlyBefore }) => !isOnlyBefore && !REPEATED_BY_TIMING.has(reason)),
  );

const clauses = (scope: WorkspaceScope, stops: typeof STOPS): Sql =>
  sql.join(
    stops.map(({ reason, level, when }) => {
      const isAnswer = level === 'account' ? sql.empty : sql`message.reply_id IS NULL AND `;
      return sql`WHEN ${isAnswer}(${when(scope)}) THEN ${reason}::text`;
    }),
    '\n',
  );

/** What becomes of a message that a rule has stopped. */
export const afterStop = (reason: WaitReason): Stop['then'] =>
  STOPS.find((stop) => stop.reason === reason)?.then ?? 'waiting';

const REASONS: ReadonlySet<string> = new Set(RULES.map(({ reason }) => reason));

/** Whether a text is the reason of a rule. */
export const isWaitReason = (text: string): text is WaitReason => REASONS.has(text);
