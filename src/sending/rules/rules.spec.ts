import { RULES, rulesOf } from './rules.js';

describe('the list of rules', () => {
  it('has each rule under its own reason', () => {
    expect(Object.entries(RULES).map(([name, { reason }]) => [name, reason])).toEqual(
      Object.keys(RULES).map((name) => [name, name]),
    );
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

  it.each(rulesOf('account').map((rule) => [rule.reason, rule] as const))(
    'postpones messages because of %s, or has a condition for their claim',
    (_, { blockedUntil, mayBegin }) => {
      expect(mayBegin !== undefined).toBe(blockedUntil !== undefined);
    },
  );

  it.each(['paused', 'daily_limit', 'account_inactive', 'missing_variable', 'outside_schedule'] as const)(
    'releases the messages that wait for %s when something changes',
    (reason) => {
      expect(RULES[reason].effects?.length).toBeGreaterThan(0);
    },
  );
});
