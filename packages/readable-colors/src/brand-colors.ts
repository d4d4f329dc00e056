/** A color as red, green and blue from 0 to 255. */
type Rgb = readonly [number, number, number];

/** The colors that a template derives from the color of a brand, as `#rrggbb`. Every text on its ground is readable. */
export type BrandColors = {
  /** The color itself, for areas such as buttons. */
  readonly color: string;
  /** For texts on `color`. */
  readonly text_color: string;
  /** For texts and lines on white, light grey and `tint`. */
  readonly accent: string;
  /** For texts, lines and buttons in dark mode. */
  readonly accent_dark: string;
  /** For areas with dark text. */
  readonly tint: string;
  /** For areas with light text, in dark mode. */
  readonly tint_dark: string;
};

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
/** The darkest ground around the messages of the shipped templates. */
const PAPER: Rgb = [241, 242, 245];
/** The ground of messages in dark mode. */
const NIGHT: Rgb = [28, 31, 37];

/** The contrast that normal text needs (WCAG 2.2, 1.4.3), with a reserve for rounded channels. */
const MIN_CONTRAST = 4.6;
const TINT_SHARE = 0.1;
const TINT_DARK_SHARE = 0.16;
const STEP = 0.04;

/** @param color `#rrggbb` */
export function brandColors(color: string): BrandColors {
  const brand = rgbOf(color);
  const tint = mixed(brand, WHITE, TINT_SHARE);
  const tintDark = mixed(brand, NIGHT, TINT_DARK_SHARE);
  return {
    color: hexOf(brand),
    text_color: hexOf(contrast(brand, WHITE) >= MIN_CONTRAST ? WHITE : BLACK),
    accent: hexOf(readable(brand, [PAPER, tint], BLACK)),
    accent_dark: hexOf(readable(brand, [NIGHT, tintDark], WHITE)),
    tint: hexOf(tint),
    tint_dark: hexOf(tintDark),
  };
}

/** Returns the color, mixed with black or white until it can be read on each of some grounds. */
function readable(color: Rgb, grounds: readonly Rgb[], extreme: Rgb): Rgb {
  const isReadable = (text: Rgb): boolean => grounds.every((ground) => contrast(text, ground) >= MIN_CONTRAST);
  let share = 1;
  while (share > 0 && !isReadable(mixed(color, extreme, share))) share -= STEP;
  return mixed(color, extreme, Math.max(share, 0));
}

const mixed = (color: Rgb, other: Rgb, share: number): Rgb => {
  const channel = (index: 0 | 1 | 2): number => Math.round(color[index] * share + other[index] * (1 - share));
  return [channel(0), channel(1), channel(2)];
};

const rgbOf = (color: string): Rgb => {
  const channel = (start: number): number => Number.parseInt(color.slice(start, start + 2), 16);
  return [channel(1), channel(3), channel(5)];
};

const hexOf = (color: Rgb): string => `#${color.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;

/** The contrast ratio of two colors, from 1 to 21 (WCAG 2.2, 1.4.3). */
const contrast = (one: Rgb, other: Rgb): number => {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
};

/** The relative luminance of a color (WCAG 2.2, definitions). */
const luminance = ([red, green, blue]: Rgb): number =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);

const linear = (channel: number): number => {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};
