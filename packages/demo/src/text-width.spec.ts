import { LINE_WIDTH, wrapText } from './text-width.js';

describe('text for a terminal', () => {
  it('is broken between words, and keeps its empty lines', () => {
    const text = `${'word '.repeat(40).trim()}\n\nshort`;
    const lines = wrapText(text);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(LINE_WIDTH);
    expect(lines.join(' ').split(/ +/)).toEqual(text.split(/\s+/));
    expect(lines.slice(-2)).toEqual(['', 'short']);
  });

  it('shows only the beginning of a link that is longer than a line', () => {
    const [line] = wrapText(`List-Unsubscribe: <http://127.0.0.1:3000/u/${'x'.repeat(200)}>`);
    expect(line).toMatch(/^List-Unsubscribe: <http:\/\/127\.0\.0\.1:3000\/u\/x+…>$/);
    expect(line?.length).toBeLessThanOrEqual(LINE_WIDTH);
  });
});
