import fc from 'fast-check';
import { escapeFormula, unescapeFormula } from './formula-escape.js';

it.each([
  ['=HYPERLINK("https://evil.example")', `'=HYPERLINK("https://evil.example")`],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['+cmd|calc', "'+cmd|calc"],
  ['-2+3', "'-2+3"],
  ['＝1+1', "'＝1+1"],
  ["'=1", "''=1"],
  ['+33 6 39 98 (06) 08', '+33 6 39 98 (06) 08'],
  ['+1 202-555-0143', '+1 202-555-0143'],
  ['+1-202-555-0143', "'+1-202-555-0143"],
  ['+1(202)5550143', '+1(202)5550143'],
  ['-12.5', '-12.5'],
  ['-1-2', "'-1-2"],
  ['\t=1', "'\t'=1"],
  ['\rx', "'\rx"],
  ["'\nx", "''\nx"],
  ["'t Hooft", "'t Hooft"],
  ['a;=cmd', "a;'=cmd"],
  ['a\t@SUM(A1)', "a\t'@SUM(A1)"],
  ['a\r\n-2+3', "a\r\n'-2+3"],
  ['a; =1;\'=2;"=3', `a;' =1;''=2;'"=3`],
  ['+1;+2', "'+1;'+2"],
  ['a,=1', 'a,=1'],
  ['a;b;', 'a;b;'],
  ['Zoë = Zoé', 'Zoë = Zoé'],
  ['', ''],
])('escapeFormula turns %j into %j', (text, cell) => {
  expect(escapeFormula(text)).toBe(cell);
});

it('unescapeFormula restores every text that escapeFormula has escaped', () => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^['"=+\-@＝0-9 a;\t\r\n]{0,8}$/));
  fc.assert(fc.property(text, (value) => unescapeFormula(escapeFormula(value)) === value));
});
