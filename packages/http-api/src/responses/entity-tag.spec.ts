import { entityTag, matchesStrongly, matchesWeakly } from './entity-tag.js';

const TAG = entityTag('{}');

describe('entityTag', () => {
  it('is a quoted text that depends on each character of the body', () => {
    expect(TAG).toMatch(/^"[\w-]{27}"$/);
    expect(entityTag('{}')).toBe(TAG);
    expect(entityTag('{ }')).not.toBe(TAG);
  });
});

describe.each([
  [TAG, true, true],
  ['*', true, true],
  [' * ', true, true],
  [`W/${TAG}`, false, true],
  [`"x", ${TAG}`, true, true],
  [`"a,b",W/"c" , ${TAG},"d"`, true, true],
  [`"x"${TAG}`, true, true],
  ['"x"', false, false],
  [TAG.slice(1, -1), false, false],
  [`"x${TAG}"`, false, false],
  ['', false, false],
  ['""', false, false],
  ['W/', false, false],
  ['"*"', false, false],
  [`*, ${TAG}`, true, true],
])('the condition %s', (header, isStrong, isWeak) => {
  it('is compared strongly and weakly', () => {
    expect([matchesStrongly(header, TAG), matchesWeakly(header, TAG)]).toEqual([isStrong, isWeak]);
  });

  it('matches no record that does not exist', () => {
    expect([matchesStrongly(header, undefined), matchesWeakly(header, undefined)]).toEqual([false, false]);
  });
});
