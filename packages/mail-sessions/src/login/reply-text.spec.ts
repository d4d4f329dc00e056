import { replySanitizer } from './reply-text.js';

describe('the reply text of a server', () => {
  const plain = Buffer.from('\0ann\0sesame').toString('base64');

  it.each([
    ['sesame', `535 wrong: sesame ${plain} c2VzYW1l`, '535 wrong: [hidden] [hidden] [hidden]'],
    ['on', '451 connection on hold, no relation', '451 connection on hold, no relation'],
    ['user', '550 5.1.1 no such user', '550 5.1.1 no such user'],
    ['relay', '554 relay access denied', '554 relay access denied'],
    ['', '550 unknown', '550 unknown'],
  ])('hides the password %j only if it has six characters', (password, text, shown) => {
    expect(replySanitizer({ username: 'ann', password })(text)).toBe(shown);
  });

  it('hides the encoded login with a short password, which no word contains', () => {
    const encoded = Buffer.from('\0ann\0on').toString('base64');
    expect(replySanitizer({ username: 'ann', password: 'on' })(`535 ${encoded} on hold`)).toBe('535 [hidden] on hold');
  });

  it('is one line of at most 500 characters', () => {
    const text = replySanitizer({ username: 'ann', password: 'sesame' })(`550 a\r\n\tb\0${'x'.repeat(600)}`);
    expect(text).toBe(`550 a b ${'x'.repeat(492)}`);
  });
});
