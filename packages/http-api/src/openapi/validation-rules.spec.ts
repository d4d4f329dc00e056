import { ruleSchema } from './validation-rules.js';

describe('the schema of a rule', () => {
  it('is the one that the rule declares, or the one for its name', () => {
    const rule = { type: 'customValidation', name: 'min', constraints: [3] };
    expect(ruleSchema(rule)).toEqual({ minimum: 3 });
    expect(ruleSchema({ ...rule, context: { schema: { format: 'date' } } })).toEqual({ format: 'date' });
  });

  it('of an unknown rule is an error, so that the API reference is not built without it', () => {
    expect(() => ruleSchema({ type: 'customValidation', name: 'isNew' })).toThrow(/does not know the rule isNew/);
  });
});
