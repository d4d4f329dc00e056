import type { Language } from '@outreach/html-pages';

/** The kinds of records: templates with a layout, templates that look like a letter, and packs. */
export const KINDS = ['designed', 'plain', 'pack'] as const;
/** The kind of a record. */
export type Kind = (typeof KINDS)[number];

/** The categories of templates, in the order in which the pages list them. */
export const CATEGORIES = [
  'prospection',
  'follow-up',
  'welcome',
  'newsletter',
  'promotional',
  'transactional',
  'other',
] as const;
/** The category of a template. */
export type Category = (typeof CATEGORIES)[number];

/** The records that match a filter, of each kind. */
export type GalleryCounts = Readonly<Record<Kind, number>>;

/** What a link to a template names. */
export interface NamedTemplate {
  readonly slug: string;
  readonly name: string;
  /** The language of the template. */
  readonly locale: Language;
}

/** A template as a reader sees it. */
export interface ShownTemplate extends NamedTemplate {
  readonly description: string;
  /** The subject with sample values. */
  readonly shown_subject: string;
}

/** The colour schemes in which a template is drawn. */
export const THUMBNAIL_SCHEMES = ['light', 'dark'] as const;
/** A colour scheme. */
export type ThumbnailScheme = (typeof THUMBNAIL_SCHEMES)[number];

/** The size of each picture, in pixels. */
export const THUMBNAIL_SIZE = { width: 480, height: 600 };

/** A template in a list, with what its card shows of its content. */
export interface ListedTemplate extends ShownTemplate {
  readonly category: Category;
  readonly is_featured: boolean;
  readonly downloads_count: number;
  readonly is_designed: boolean;
  /** The names of its pictures; undefined if it has none. */
  readonly thumbnails: Readonly<Record<ThumbnailScheme, string>> | undefined;
  /** The beginning of its text; undefined if it is designed or long. */
  readonly excerpt: string | undefined;
}

/** A template on a page of its own. */
export interface TemplateDetails extends ShownTemplate {
  readonly id: number;
  readonly category: Category;
  readonly downloads_count: number;
  /** The subject and the body with their variables. */
  readonly subject: string;
  readonly body: string;
  /** The text part with its variables; undefined if it has none. */
  readonly text: string | undefined;
  readonly variables: readonly string[];
  /** Whether it shows the brand of its workspace. */
  readonly has_brand: boolean;
}

/** A pack in a list, with its templates in order. */
export interface ListedPack {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly locale: Language;
  readonly is_featured: boolean;
  readonly downloads_count: number;
  readonly templates: readonly NamedTemplate[];
}

/** A pack on a page of its own, with its templates in order. */
export interface PackDetails extends Omit<ListedPack, 'slug' | 'is_featured'> {
  readonly id: number;
  readonly templates: readonly ShownTemplate[];
}
