import { reactionsTo, recipientTagsOf } from './recipient-tags.js';

describe('recipientTagsOf', () => {
  it.each([
    ['anna@example.com', []],
    ['anna+bounced@example.com', ['bounced']],
    ['anna+Delivered+OPENED+clicked@example.com', ['delivered', 'opened', 'clicked']],
    ['anna+newsletter+opened+x@example.com', ['opened']],
    ['opened@example.com', []],
    ['opened+@clicked+bounced.example', []],
    ['anna+openedx@example.com', []],
  ])('returns the tags of %s in their order, and nothing else', (address, tags) => {
    expect(recipientTagsOf(address)).toEqual(tags);
  });
});

describe('reactionsTo', () => {
  it('returns what follows, each after the one before it', () => {
    const planned = reactionsTo(recipientTagsOf('anna+delivered+opened+clicked@example.com'));
    expect(planned.map(({ kind }) => kind)).toEqual(['delivered', 'opened', 'clicked']);
    const seconds = planned.map(({ after_seconds: after }) => after);
    expect(seconds).toEqual([...seconds].sort((a, b) => a - b));
    expect(new Set(seconds).size).toBe(3);
  });

  it('leaves out what the server itself does', () => {
    expect(reactionsTo(['slow', 'unknown', 'opened'])).toMatchObject([{ kind: 'opened' }]);
    expect(reactionsTo(['rejected'])).toEqual([]);
  });
});
