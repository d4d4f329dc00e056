import fc from 'fast-check';
import {
  emailAddressError,
  hasInternationalLocalPart,
  isEmailAddress,
  normalizeEmail,
  normalizeEmailPart,
} from './email-address.js';

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

describe('emailAddressError', () => {
  it.each([
    ['', 'it is empty'],
    ['ann.example.com', 'it has no @'],
    ['ann(at)example.com', 'it has no @'],
    ['ann@example.com, bob@example.com', 'it has more than one @'],
    ['ann@@example.com', 'it has more than one @'],
    ['ann lee@example.com', 'it contains white space'],
    ['@example.com', 'it has nothing before the @'],
    ['ann@', 'it has nothing after the @'],
    [`ann@${'a'.repeat(250)}.com`, 'it has more than 254 characters'],
    [`${'a'.repeat(65)}@example.com`, 'it has more than 64 characters before the @'],
    ['ann.@example.com', 'the part before the @ begins or ends with a dot, or has two in a row'],
    ['<ann@example.com>', 'it has a character before the @ that addresses do not have'],
    ['ann@example', 'the domain has no dot: it is not complete'],
    ['ann@example.com>', 'it has a character after the @ that domains do not have'],
    ['ann@example..com', 'the domain begins or ends with a dot, or has two in a row'],
    ['ann@127.0.0.1', 'the domain does not end as domains do, such as with .com'],
    ['ann@-example.com', 'the domain is not valid'],
  ])('of %j says that %s', (text, mistake) => {
    expect(emailAddressError('email', text)).toBe(`email must be an email address: ${mistake}`);
  });

  it('says that few servers accept characters beyond ASCII before the @', () => {
    expect(emailAddressError('email', 'jörg@example.com')).toMatch(
      /^email must have only ASCII characters before the @/,
    );
  });

  it('returns a sentence for each text that is no address, and nothing for an address', () => {
    const part = fc.constantFrom('a', '.', '@', '-', 'com', ' ', 'é', '<', '1', '"');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const text = parts.join('');
        expect(emailAddressError('email', text) === undefined).toBe(isEmailAddress(text));
      }),
    );
  });
});
