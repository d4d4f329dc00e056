import fc from 'fast-check';
import { brandColors } from './brand-colors.js';

/** The contrast that normal text needs (WCAG 2.2, 1.4.3). */
const READABLE = 4.5;
/** The grounds and texts of the shipped templates. */
const LIGHT_GROUNDS = ['#ffffff', '#f1f2f7', '#f1f4f5', '#f5f5f8', '#f7f2f0'];
const DARK_GROUNDS = ['#121417', '#1c1f24', '#1c1f25'];
const DARK_TEXTS = ['#1f2328', '#57606a', '#59606c'];
const LIGHT_TEXTS = ['#eceef1', '#b4bac4', '#adb4bf'];
const BUTTON_TEXT = '#10141a';

const color = fc.integer({ min: 0, max: 0xffffff }).map((number) => `#${number.toString(16).padStart(6, '0')}`);

const luminance = (hex: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((start) => Number.parseInt(hex.slice(start, start + 2), 16) / 255)
    .map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const contrast = (one: string, other: string): number => {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
};

describe('brandColors', () => {
  it('makes every text readable, light and dark, whatever the color', () => {
    fc.assert(
      fc.property(color, (brand) => {
        const { color: ground, text_color, accent, accent_dark, tint, tint_dark } = brandColors(brand);
        const pairs = [
          [text_color, ground],
          ...[...LIGHT_GROUNDS, tint].map((each) => [accent, each]),
          ...[...DARK_GROUNDS, tint_dark].map((each) => [accent_dark, each]),
          ...DARK_TEXTS.map((each) => [each, tint]),
          ...LIGHT_TEXTS.map((each) => [each, tint_dark]),
          [BUTTON_TEXT, accent_dark],
        ];
        for (const [one = '', other = ''] of pairs) expect(contrast(one, other)).toBeGreaterThanOrEqual(READABLE);
      }),
      { numRuns: 500 },
    );
  });

  it('uses the color unchanged for areas, and for texts if they can be read', () => {
    expect(brandColors('#1A56C4')).toMatchObject({ color: '#1a56c4', text_color: '#ffffff', accent: '#1a56c4' });
    expect(brandColors('#ffe600')).toMatchObject({ color: '#ffe600', text_color: '#000000', accent_dark: '#ffe600' });
  });
});
