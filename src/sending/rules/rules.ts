import { absence } from './absence/absence.rule.js';
import { accountOff } from './account-off/account-off.rule.js';
import { sentMailCheck } from './checking-sent-mail/checking-sent-mail.rule.js';
import { contactPaused } from './contact-paused/contact-paused.rule.js';
import { dailyLimitRule } from './daily-limit/daily-limit.rule.js';
import { daysBetween } from './days-between/days-between.rule.js';
import { draft } from './draft/draft.rule.js';
import { gap } from './gap/gap.rule.js';
import { newContacts } from './new-contacts/new-contacts.rule.js';
import { noStep } from './no-step/no-step.rule.js';
import { paused } from './paused/paused.rule.js';
import { providerLimit } from './provider-limit/provider-limit.rule.js';
import { requiredVariables } from './required-variables/required-variables.rule.js';
import { resultUnknown } from './result-unknown/result-unknown.rule.js';
import { schedule } from './schedule/schedule.rule.js';
import { failedAttempt } from './temporary-failure/temporary-failure.rule.js';

/**
 * The rules for when a message waits. Of several whose reasons hold at the same time the first one counts. All stages of sending
 * loop over this list: planning, claim, preflight check, results, `waiting_for`, estimates, clocks and the API reference.
 */
export const RULES = [
  draft,
  noStep,
  paused,
  resultUnknown,
  sentMailCheck,
  failedAttempt,
  requiredVariables,
  contactPaused,
  absence,
  daysBetween,
  schedule,
  newContacts,
  accountOff,
  providerLimit,
  dailyLimitRule,
  gap,
] as const;

type AnyRule = (typeof RULES)[number];
/** Why a message is not sent sooner: the `reason` of a waiting message, and `waiting_for` of its enrollment. */
export type WaitReason = (typeof RULES)[number]['reason'];
type Level = AnyRule['level'];
/** The rules of some levels. */
export type RulesOf<L extends Level> = Extract<AnyRule, { readonly level: L }>;

/** Returns the rules of some levels, in the order of the list. */
export const rulesOf = <L extends Level>(...levels: readonly L[]): RulesOf<L>[] =>
  RULES.filter((rule): rule is RulesOf<L> => levels.some((level) => level === rule.level));

type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (each: infer All) => void
  ? All
  : never;
type TimedFacts<Each> = Each extends { readonly timing: (...facts: infer Facts) => unknown }
  ? Facts extends readonly [...unknown[], infer Last]
    ? Last
    : never
  : never;

/** What the rules of some levels need to know. */
export type FactsOf<L extends Level> = Intersection<TimedFacts<RulesOf<L>>>;
