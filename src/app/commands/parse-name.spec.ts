import { parseName } from './parse-name.js';

it('parseName trims a name and accepts 1 to 255 characters', () => {
  expect(parseName('  Été ')).toBe('Été');
  expect(parseName('😀'.repeat(255))).toHaveLength(510);
  for (const text of ['', '  ', 'x'.repeat(256)]) expect(() => parseName(text)).toThrow('1 to 255 characters');
  for (const text of ['a\nb', 'a\u001b[31m', 'a\u202eb'])
    expect(() => parseName(text)).toThrow('no control characters');
});
