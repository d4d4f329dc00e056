import { is, view } from '@outreach/http-api/responses';
import { TEMPLATE_CATEGORIES, variablesOf } from '../templates/index.js';
import type { PackRecord } from './published-records.cross-tenant.js';
import { LOCALES } from './marketplace-record.js';
import type { MarketplaceTemplate } from './marketplace-template.entity.js';

/** A template of the marketplace (API v1, "Marketplace template"). */
export const marketplaceTemplateView = view(
  'MarketplaceTemplate',
  {
    id: is.id,
    /** A readable ID, unique in the marketplace. The page of the template is at `/marketplace/templates/{slug}`. */
    slug: is.string,
    /** The name of the template. */
    name: is.string,
    /** What the template is good for. */
    description: is.string,
    /** What the template is for. */
    category: is.oneOf(TEMPLATE_CATEGORIES),
    /** The language of the texts. */
    locale: is.oneOf(LOCALES),
    /** The subject, with variables. */
    subject: is.string,
    /** The HTML, with variables. */
    body: is.string,
    /** The names of the variables in subject and body, each once. */
    variables: is.arrayOf(is.string),
    /** Whether it is shown first. */
    is_featured: is.boolean,
    /** Whether it is listed; always true, because others are not shown. */
    is_published: is.boolean,
    /** How often it was copied into a workspace. */
    downloads_count: is.integer,
    created_at: is.timestamp,
    updated_at: is.timestamp,
  },
  (template: MarketplaceTemplate) => ({ variables: variablesOf(template) }),
);

/** A pack with its published templates, in the order of sending. */
export const marketplacePackView = view(
  'MarketplacePack',
  {
    id: is.id,
    /** A readable ID, unique in the marketplace. The page of the pack is at `/marketplace/packs/{slug}`. */
    slug: is.string,
    /** The name of the pack. */
    name: is.string,
    /** What the sequence is good for. */
    description: is.string,
    /** The language of all of its templates. */
    locale: is.oneOf(LOCALES),
    /** Whether it is shown first. */
    is_featured: is.boolean,
    /** How often it was copied into a workspace. */
    downloads_count: is.integer,
    /** How many templates it has. */
    templates_count: is.integer,
    /** Its published templates, in the order of sending. */
    templates: is.arrayOf(is.view(marketplaceTemplateView)),
    created_at: is.timestamp,
    updated_at: is.timestamp,
  },
  (pack: PackRecord) => ({ templates_count: pack.templates.length }),
);
