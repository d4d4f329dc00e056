import { is, timestamp, view } from '../platform/http/index.js';
import { TEMPLATE_CATEGORIES, variablesOf } from '../templates/index.js';
import type { PackRecord } from './published-records.cross-tenant.js';
import { LOCALES } from './marketplace-record.js';
import type { MarketplaceTemplate } from './marketplace-template.entity.js';

/** A template of the marketplace (API v1, "Marketplace template"). */
export const marketplaceTemplateView = view(
  'MarketplaceTemplate',
  {
    id: is.id,
    slug: is.string,
    name: is.string,
    description: is.string,
    category: is.oneOf(TEMPLATE_CATEGORIES),
    locale: is.oneOf(LOCALES),
    subject: is.string,
    body: is.string,
    variables: is.arrayOf(is.string),
    is_featured: is.boolean,
    is_published: is.boolean,
    downloads_count: is.integer,
    created_at: is.timestamp,
    updated_at: is.timestamp,
  },
  (template: MarketplaceTemplate) => ({
    id: template.id,
    slug: template.slug,
    name: template.name,
    description: template.description,
    category: template.category,
    locale: template.locale,
    subject: template.subject,
    body: template.body,
    variables: variablesOf(template),
    is_featured: template.is_featured,
    is_published: template.is_published,
    downloads_count: template.downloads_count,
    created_at: timestamp(template.created_at),
    updated_at: timestamp(template.updated_at),
  }),
);

/** A pack with its published templates, in the order of sending. */
export const marketplacePackView = view(
  'MarketplacePack',
  {
    id: is.id,
    slug: is.string,
    name: is.string,
    description: is.string,
    locale: is.oneOf(LOCALES),
    is_featured: is.boolean,
    downloads_count: is.integer,
    templates_count: is.integer,
    templates: is.arrayOf(is.view(marketplaceTemplateView)),
    created_at: is.timestamp,
    updated_at: is.timestamp,
  },
  (pack: PackRecord) => ({
    id: pack.id,
    slug: pack.slug,
    name: pack.name,
    description: pack.description,
    locale: pack.locale,
    is_featured: pack.is_featured,
    downloads_count: pack.downloads_count,
    templates_count: pack.templates.length,
    templates: pack.templates.map((template) => marketplaceTemplateView.toJson(template)),
    created_at: timestamp(pack.created_at),
    updated_at: timestamp(pack.updated_at),
  }),
);
