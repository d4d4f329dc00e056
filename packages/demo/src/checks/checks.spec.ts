import { Checks } from './checks.js';

describe('Checks', () => {
  it('collects one line for each value that differs from the expected value', () => {
    const checks = new Checks();
    checks.equal('sent', 10, 10);
    checks.equal('bounced', 3, 4);
    checks.none('lost', []);
    checks.none('doubled', ['a', 'b', 'c', 'd', 'e']);
    expect(checks.made).toBe(4);
    expect(checks.deviations).toEqual(['bounced: 3, expected 4', 'doubled: a, b, c, and 2 more; expected none']);
  });
});
