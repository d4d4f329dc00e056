import { Checks } from './checks.js';

describe('checks', () => {
  it('keep a line for each figure that is not what it must be', () => {
    const checks = new Checks();
    checks.equal('sent', 10, 10);
    checks.equal('bounced', 3, 4);
    checks.none('lost', []);
    checks.none('doubled', ['a', 'b', 'c', 'd', 'e']);
    expect(checks.made).toBe(4);
    expect(checks.deviations).toEqual(['bounced: 3, must be 4', 'doubled: a, b, c, and 2 more; there must be none']);
  });
});
