import { isPlainName } from './fields.js';

describe('isPlainName', () => {
  it.each([
    'Zoë “Z” O’Hara',
    'שרה כהן',
    'محمد',
    'نمی\u200cدانم',
    'क्\u200dष',
    '👩\u200d💻 ❤\ufe0f Dev',
    '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
    '李小龍',
    'a\u0301',
    'a\u00a0b',
    '<b>&',
  ])('accepts %j', (name) => expect(isPlainName(name)).toBe(true));

  it.each([
    ...['\u0007', '\u001b[31m', '\u007f', '\u0085', '\u009b', '\u2028', '\u2029'],
    ...['\u061c', '\u200e', '\u200f', '\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2069'],
  ])('refuses %j, also if lines are allowed', (text) => {
    expect(isPlainName(`a${text}b`)).toBe(false);
    expect(isPlainName(`${text}b`, 'tabs and line breaks')).toBe(false);
  });

  it.each(['\t', '\n', '\r\n'])('accepts %j only where lines are allowed', (text) => {
    expect([isPlainName(`a${text}b`), isPlainName(`a${text}b`, 'tabs and line breaks')]).toEqual([false, true]);
  });
});
