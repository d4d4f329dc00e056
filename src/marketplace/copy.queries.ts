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
  const rows = await scope.query<Template>(
    sql`WITH pack AS (
          UPDATE marketplace_packs SET downloads_count = downloads_count + 1 WHERE id = ${id} AND is_published
          RETURNING id
        ), part AS MATERIALIZED (
          SELECT template.id, part.position FROM marketplace_pack_templates part
          JOIN marketplace_templates template ON template.id = part.template_id AND template.is_published
          WHERE part.pack_id = ANY (ARRAY(SELECT pack.id FROM pack))
          ORDER BY template.id FOR UPDATE OF template
        ), original AS (
          UPDATE marketplace_templates template SET downloads_count = downloads_count + 1
          FROM part WHERE template.id = part.id RETURNING template.*, part.position
        ), copy AS (${insertOriginals(scope, sql`original.name`)})
        SELECT copy.* FROM pack LEFT JOIN copy ON TRUE ORDER BY copy.id`,
  );
  if (rows.length === 0) throw new NotFound('Pack');
  // A pack without published templates yields one row without a copy.
  return rows.filter(({ id: copied }) => copied !== null);
}
