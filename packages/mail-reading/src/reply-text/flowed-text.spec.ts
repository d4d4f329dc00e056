import { joinFlowedLines, withFixedLines } from './flowed-text.js';

const flow = { deletes_spaces: false };

describe('joinFlowedLines', () => {
  it.each([
    ['a soft line break', 'Yes, that \nsuits me.\nBob', 'Yes, that suits me.\nBob'],
    ['an answer below a quoted line that ends with a space', '> Which day? \nTuesday.', '> Which day? \nTuesday.'],
    ['a quoted line below an answer that ends with a space', 'Tuesday. \n> Which hour? ', 'Tuesday. \n> Which hour? '],
    ['quoted lines of the same depth', '> Which \n> day?\n>> When? \n> So?', '> Which day?\n>> When? \n> So?'],
    ['stuffed spaces', ' From here \n to there', 'From here to there'],
    ['a signature separator', 'Yes. \n-- \nBob', 'Yes. \n-- \nBob'],
  ])('joins lines of the same depth: %s', (_, text, expected) => {
    expect(joinFlowedLines(text, flow)).toBe(expected);
  });

  it('removes the space of a soft line break with DelSp', () => {
    expect(joinFlowedLines('Donau \ndampf \nschiff', { deletes_spaces: true })).toBe('Donaudampfschiff');
  });
});

describe('withFixedLines', () => {
  it.each([
    ['Content-Type: text/plain; charset=utf-8; format=flowed', false],
    ['content-type: text/plain;\r\n\tformat="flowed"; delsp=yes', true],
    ['Content-Type: text/plain; Format=Flowed; DelSp=Yes', true],
  ])('takes the parameter from %j', (field, deletesSpaces) => {
    const { raw, flow: found } = withFixedLines(Buffer.from(`--b\r\n${field}\r\n\r\nYes, \r\nBob`));
    expect(raw.toString()).not.toMatch(/flowed/i);
    expect(found).toEqual({ deletes_spaces: deletesSpaces });
  });

  it.each(['Content-Type: text/plain', 'Is it format=flowed?'])('leaves another mail as it is: %j', (line) => {
    const raw = Buffer.from(`${line}\r\n\r\nYes`);
    expect(withFixedLines(raw)).toEqual({ raw, flow: undefined });
  });
});
