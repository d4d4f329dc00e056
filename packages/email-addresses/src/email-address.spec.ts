import { hasInternationalLocalPart, isEmailAddress, normalizeEmail, normalizeEmailPart } from './email-address.js';

describe('normalizeEmail', () => {
  it.each([
    ['Ann@Example.COM', 'ann@example.com'],
    ['info@münchen.example', 'info@xn--mnchen-3ya.example'],
    ['Info@MÜNCHEN.example', 'info@xn--mnchen-3ya.example'],
    ['info@xn--mnchen-3ya.example', 'info@xn--mnchen-3ya.example'],
    ['a@straße.example', 'a@xn--strae-oqa.example'],
    ['a@пример.рф', 'a@xn--e1afmkfd.xn--p1ai'],
    ['a@例え。テスト', 'a@xn--r8jz45g.xn--zckzah'],
    ['a@ｅｘａｍｐｌｅ.com', 'a@example.com'],
    ['a@mu\u0308nchen.example', 'a@xn--mnchen-3ya.example'],
  ])('of %s returns the address %s', (text, address) => {
    expect(normalizeEmail(text)).toBe(address);
    expect(isEmailAddress(normalizeEmail(text))).toBe(true);
    expect(normalizeEmail(address)).toBe(address);
  });

  it.each([
    'jörg@example.com',
    'jörg@münchen.example',
    '@münchen.example',
    'a@münchen',
    'a@mün/chen.example',
    'a@mün%63hen.example',
    'a@mün chen.example',
    'a@１２７.0.0.1',
    'a@b@münchen.example',
    `a@${'ü'.repeat(64)}.example`,
    `a@${'ü.'.repeat(200)}example`,
    'münchen.example',
    '',
  ])('of %s returns no address', (text) => {
    expect(isEmailAddress(normalizeEmail(text))).toBe(false);
  });
});

it.each([
  ['Ann@Mün.example', 'ann@xn--mn-xka.example'],
  ['@mün.example', '@xn--mn-xka.example'],
  ['mün.example', 'xn--mn-xka.example'],
  ['Mün', 'Mün'],
  ['mün. ', 'mün. '],
  ['Example.com', 'Example.com'],
])('normalizeEmailPart of %j returns %j', (text, expected) => {
  expect(normalizeEmailPart(text)).toBe(expected);
});

it.each([
  ['jörg@example.com', true],
  ['ann@münchen.example', false],
  ['ann@example.com', false],
  ['jörg', false],
  ['@example.com', false],
])('%s has an international local part: %s', (text, expected) => {
  expect(hasInternationalLocalPart(text)).toBe(expected);
});
