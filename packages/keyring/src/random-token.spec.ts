import { hashToken, randomToken } from './index.js';

it('randomToken returns the prefix and 32 random bytes, URL-safe', () => {
  expect(randomToken('out_')).toMatch(/^out_[\w-]{43}$/);
  expect(randomToken('', 16)).toMatch(/^[\w-]{22}$/);
  expect(randomToken('out_')).not.toBe(randomToken('out_'));
});

it('hashToken returns SHA-256 in hexadecimal', () => {
  expect(hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
