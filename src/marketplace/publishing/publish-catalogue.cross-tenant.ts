import { type Database, type Sql, sql } from '../../platform/database/index.js';
import type { Origin } from '../marketplace-record.js';
import { InvalidCatalogue } from './invalid-catalogue.js';
import type { Catalogue, CataloguePack, CatalogueTemplate } from './read-catalogue.js';

/** The key of an advisory lock. Any number that no other lock in this database uses. */
const CATALOGUE_LOCK = 7_203_115;

/** The columns of templates and packs that are compared and written, apart from the slug. */
const COMMON_COLUMNS = ['name', 'description', 'locale', 'is_featured', 'is_published'] as const;
const TEMPLATE_COLUMNS = [...COMMON_COLUMNS, 'category', 'subject', 'body', 'variables'] as const;

/**
 * Publishes a catalogue to all workspaces in one transaction: adds new records, updates changed ones and preserves
 * `downloads_count`. A shipped catalogue does not change an operator's records, and unpublishes shipped records that it
 * no longer contains.
 * @throws InvalidCatalogue if a pack contains a template that does not exist
 */
export async function publishCatalogue(database: Database, catalogue: Catalogue, origin: Origin): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query(sql`SELECT pg_advisory_xact_lock(${CATALOGUE_LOCK})`);
    await tx.execute(upsert('marketplace_templates', TEMPLATE_COLUMNS, rowsOf(catalogue.templates), origin));
    await assertTemplatesExist(tx, catalogue.packs);
    const packs = rowsOf(catalogue.packs.map(({ fields }) => fields));
    await tx.execute(upsert('marketplace_packs', COMMON_COLUMNS, packs, origin));
    await replacePackTemplates(tx, catalogue.packs, origin);
    if (origin === 'shipped') await unpublishMissing(tx, catalogue);
  });
}

const rowsOf = (records: readonly object[]): Sql => sql`${JSON.stringify(records)}::jsonb`;

/** Inserts new rows and updates changed ones. An unchanged row is neither written nor locked. */
function upsert(table: string, columns: readonly string[], rows: Sql, origin: Origin): Sql {
  const names = columns.map((column) => sql.ref(column));
  const list = sql.join(names);
  const sets = sql.join(names.map((name) => sql`${name} = excluded.${name}`));
  const stored = sql.join(names.map((name) => sql`stored.${name}`));
  const input = sql.join(names.map((name) => sql`input.${name}`));
  const unchanged = sql`SELECT 1 FROM ${sql.ref(table)} stored WHERE stored.slug = input.slug
    AND ((${stored}, stored.origin) IS NOT DISTINCT FROM (${input}, ${origin}::text)
         OR stored.origin = 'operator' AND ${origin}::text = 'shipped')`;
  return sql`INSERT INTO ${sql.ref(table)} (slug, ${list}, origin)
    SELECT input.slug, ${input}, ${origin} FROM jsonb_populate_recordset(NULL::${sql.ref(table)}, ${rows}) input
    WHERE NOT EXISTS (${unchanged}) ORDER BY input.slug
    ON CONFLICT (slug) DO UPDATE SET ${sets}, origin = excluded.origin, updated_at = ${sql.realNow}`;
}

async function assertTemplatesExist(tx: Database, packs: readonly CataloguePack[]): Promise<void> {
  const parts = packs.flatMap((pack) => pack.parts);
  const known = await tx.query<{ slug: string }>(
    sql`SELECT slug FROM marketplace_templates WHERE slug = ANY(${parts.map(({ slug }) => slug)}::text[])`,
  );
  const slugs = new Set(known.map(({ slug }) => slug));
  const errors = parts.flatMap(({ slug, file, line }) =>
    slugs.has(slug) ? [] : [{ file, line, reason: `templates: the template ${slug} does not exist` }],
  );
  if (errors.length > 0) throw new InvalidCatalogue(errors);
}

/** Writes the templates of packs if they have changed. */
async function replacePackTemplates(tx: Database, packs: readonly CataloguePack[], origin: Origin): Promise<void> {
  const parts = packs.flatMap(({ fields, parts: named }) =>
    named.map(({ slug }, index) => ({ pack: fields.slug, template: slug, position: index + 1 })),
  );
  await tx.execute(
    sql`WITH wanted AS (
          SELECT pack.id AS pack_id, part.position, template.id AS template_id
          FROM jsonb_to_recordset(${JSON.stringify(parts)}::jsonb) AS part (pack text, template text, position int)
          JOIN marketplace_packs pack ON pack.slug = part.pack AND pack.origin = ${origin}
          JOIN marketplace_templates template ON template.slug = part.template
        ), deleted AS (
          DELETE FROM marketplace_pack_templates stored USING (SELECT DISTINCT pack_id FROM wanted) pack
          WHERE stored.pack_id = pack.pack_id
            AND NOT EXISTS (SELECT 1 FROM wanted WHERE wanted.pack_id = stored.pack_id AND wanted.position = stored.position)
          RETURNING stored.pack_id
        ), written AS (
          INSERT INTO marketplace_pack_templates AS stored (pack_id, position, template_id)
          SELECT pack_id, position, template_id FROM wanted
          ON CONFLICT (pack_id, position) DO UPDATE SET template_id = excluded.template_id
          WHERE stored.template_id <> excluded.template_id RETURNING stored.pack_id
        )
        UPDATE marketplace_packs SET updated_at = ${sql.realNow}
        WHERE id IN (SELECT pack_id FROM deleted UNION SELECT pack_id FROM written)`,
  );
}

/** Unpublishes the records of an earlier version that this version does not contain. */
async function unpublishMissing(tx: Database, { templates, packs }: Catalogue): Promise<void> {
  const hide = (table: string, slugs: readonly string[]): Sql =>
    sql`UPDATE ${sql.ref(table)} SET is_published = FALSE, updated_at = ${sql.realNow}
        WHERE origin = 'shipped' AND is_published AND NOT (slug = ANY(${[...slugs]}::text[]))`;
  await tx.execute(hide('marketplace_templates', slugsOf(templates)));
  await tx.execute(hide('marketplace_packs', slugsOf(packs.map(({ fields }) => fields))));
}

const slugsOf = (records: readonly Pick<CatalogueTemplate, 'slug'>[]): string[] => records.map(({ slug }) => slug);
