import { NotFound } from '@outreach/http-errors';
import { sql } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { insertOriginals, type Template } from '../templates/index.js';

/**
 * Copies a published template into the workspace and counts the download. One statement does both, so that concurrent
 * downloads are all counted.
 * @param name of the copy; by default that of the original
 * @throws NotFound if the template does not exist or is not published
 */
export async function copyTemplate(scope: WorkspaceScope, id: number, name?: string | null): Promise<Template> {
  const counted = sql`UPDATE marketplace_templates SET downloads_count = downloads_count + 1
    WHERE id = ${id} AND is_published RETURNING *, 1 AS position`;
  const [copy] = await scope.query<Template>(
    sql`WITH original AS (${counted}) ${insertOriginals(scope, sql`coalesce(${name ?? null}, original.name)`)}`,
  );
  if (!copy) throw new NotFound('Template');
  return copy;
}

/**
 * Copies all published templates of a published pack, in order, and counts the download of each template and of the
 * pack.
 * @throws NotFound if the pack does not exist or is not published
 */
export async function copyPack(scope: WorkspaceScope, id: number): Promise<Template[]> {
  return scope.transaction(async (tx) => {
    const parts = await countDownloads(tx, id);
    const original = sql`SELECT template.*, part.position
      FROM unnest(${parts.map((part) => part.id)}::bigint[], ${parts.map((part) => part.position)}::int[]) AS part (id, position)
      JOIN marketplace_templates template ON template.id = part.id`;
    const copies = await tx.query<Template>(
      sql`WITH original AS (${original}) ${insertOriginals(tx, sql`original.name`)}`,
    );
    return copies.sort((one, other) => one.id - other.id);
  });
}

/** Locks the published templates of a published pack, and counts the download. @returns them */
async function countDownloads(tx: WorkspaceScope, id: number): Promise<{ id: number; position: number }[]> {
  const rows = await tx.query<{ id: number | null; position: number }>(
    sql`WITH pack AS (
          UPDATE marketplace_packs SET downloads_count = downloads_count + 1 WHERE id = ${id} AND is_published
          RETURNING id
        ), part AS MATERIALIZED (
          SELECT template.id, part.position FROM pack
          JOIN marketplace_pack_templates part ON part.pack_id = pack.id
          JOIN marketplace_templates template ON template.id = part.template_id AND template.is_published
          ORDER BY template.id FOR UPDATE OF template
        ), original AS (
          UPDATE marketplace_templates template SET downloads_count = downloads_count + 1
          FROM part WHERE template.id = part.id RETURNING template.id, part.position
        )
        SELECT original.*, ${tx}::bigint AS workspace_id FROM pack LEFT JOIN original ON TRUE`,
  );
  if (rows.length === 0) throw new NotFound('Pack');
  // A pack without published templates yields one row without a template.
  return rows.flatMap(({ id: template, position }) => (template === null ? [] : [{ id: template, position }]));
}
