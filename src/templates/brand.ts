import { brandColors } from '@outreach/readable-colors';

/** What a workspace says about its brand. All of it is optional. */
export interface Brand {
  readonly brand_name: string | null;
  /** `#rrggbb` */
  readonly brand_color: string | null;
  readonly logo_url: string | null;
}

/** The template variables of a brand: `brand.name`, and so on. An empty one has the default of the template. */
export type BrandValues = Readonly<Record<string, string>>;

/** The variables that templates can use. `logo_url` belongs to `brand.logo`, which is an image. */
export const BRAND_VARIABLES = [
  'name',
  'logo',
  'color',
  'text_color',
  'accent',
  'accent_dark',
  'tint',
  'tint_dark',
].map((key) => `brand.${key}`);

/** A workspace without a brand: templates have their own colors, and the name of the sender. */
export const NO_BRAND: Brand = { brand_name: null, brand_color: null, logo_url: null };

/**
 * Returns the values of a brand. Without a name it is the sender's; where there is no logo, the name takes its place.
 * Without a color there are none.
 */
export function brandValues({ brand_name: own, brand_color: color, logo_url }: Brand, sender: string): BrandValues {
  const name = own ?? sender;
  return { name, logo: name, logo_url: logo_url ?? '', ...(color !== null && brandColors(color)) };
}
