import { readdirSync, readFileSync } from 'node:fs';
import { RULES, rulesOf } from './rules.js';

interface WaitReasonSchema {
  readonly enum: readonly string[];
  readonly description: string;
}

const { components } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as {
  components: { schemas: { WaitReason: WaitReasonSchema } };
};
const { WaitReason: WAIT_REASON } = components.schemas;

describe('the list of rules', () => {
  it('has the rule of each folder once', () => {
    const folders = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((each) => each.isDirectory());
    expect(new Set(RULES.map(({ reason }) => reason)).size).toBe(folders.length);
    expect(RULES).toHaveLength(folders.length);
  });

  it.each(RULES)('has a sentence for the reference of $reason', ({ reason }) => {
    expect(WAIT_REASON.enum).toContain(reason);
    expect(WAIT_REASON.description).toMatch(new RegExp(`^- .${reason}.: [A-Z].*[.]$`, 'm'));
  });

  it.each(rulesOf('contact').map((rule) => [rule.reason, rule] as const))(
    'knows the facts of %s when messages are planned, or a message can settle it',
    (_, { facts, settle }) => {
      expect(facts ?? settle).toBeDefined();
    },
  );

  it.each(rulesOf('contact', 'campaign').map((rule) => [rule.reason, rule] as const))(
    'stops a claimed message because of %s',
    (_, rule) => {
      const isBeforeComposing = 'claimed' in rule && rule.claimed !== undefined;
      expect(rule.stop !== undefined || isBeforeComposing).toBe(true);
    },
  );

  it.each(rulesOf('contact').flatMap((rule) => (rule.planning ? [[rule.reason, rule] as const] : [])))(
    'keeps, checks, returns and simulates what is reserved by %s',
    (_, { isReserved, checkedColumn, settle, refund, nextPlanning, estimate }) => {
      expect([isReserved, checkedColumn, settle, refund, nextPlanning, estimate?.simulate]).not.toContain(undefined);
    },
  );

  it.each(rulesOf('account').map((rule) => [rule.reason, rule] as const))(
    'postpones messages because of %s, or has a condition for their claim',
    (_, { blockedUntil, mayBegin }) => {
      expect(mayBegin !== undefined).toBe(blockedUntil !== undefined);
    },
  );

  it.each(['paused', 'daily_limit', 'account_inactive', 'missing_variable', 'outside_schedule'] as const)(
    'releases the messages that wait for %s when something changes',
    (reason) => {
      expect(RULES.find((rule) => rule.reason === reason)?.effects?.length).toBeGreaterThan(0);
    },
  );
});
