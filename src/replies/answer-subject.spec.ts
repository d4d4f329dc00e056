import { answerSubject } from './answer-subject.js';

describe('the subject of an answer', () => {
  it.each([
    ['Hello', 'Re: Hello'],
    ['Re: Hello', 'Re: Hello'],
    ['RE: re : Hello', 'Re: Hello'],
    ['Reply needed', 'Re: Reply needed'],
    ['', 'Re:'],
  ])('begins with "Re:" once: %j becomes %j', (subject, expected) => {
    expect(answerSubject(subject)).toBe(expected);
  });

  it('has at most 500 characters', () => {
    expect([...answerSubject('😀'.repeat(600))]).toHaveLength(500);
  });
});
