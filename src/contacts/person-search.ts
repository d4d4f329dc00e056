import { type Sql, sql } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import type { ContactTextField } from './contact-fields.js';
import { compared, contactText, searchedText, searchTextContains } from './contact-text.js';

/** Up to this many companies, their contacts are looked up by ID in an index. */
const MAX_COMPANIES = 1000;

const PERSON: readonly ContactTextField[] = ['email', 'first_name', 'last_name'];

/**
 * One condition on `record` for each term: it occurs in the contact's email, names or job title, or in the name of its
 * company record, ignoring case. The companies are found first, so that indexes serve the remaining conditions.
 */
export async function personSearch(scope: WorkspaceScope, terms: readonly string[]): Promise<Sql[]> {
  const conditions: Sql[] = [];
  for (const term of terms) conditions.push(await personContains(scope, searchedText(term)));
  return conditions;
}

async function personContains(scope: WorkspaceScope, term: string): Promise<Sql> {
  const named = sql.any(PERSON.map((field) => compared(contactText(field), 'contains', term)));
  return sql.any([
    sql`${searchTextContains(term)} AND (${named})`,
    compared(sql`record.job_title`, 'contains', term),
    await worksAt(scope, sql`company.workspace_id = ${scope} AND ${compared(sql`company.name`, 'contains', term)}`),
  ]);
}

async function worksAt(scope: WorkspaceScope, companies: Sql): Promise<Sql> {
  const ids = sql`SELECT company.id FROM companies company WHERE ${companies}`;
  const found = await scope.query<{ id: number }>(sql`${ids} LIMIT ${MAX_COMPANIES + 1}`);
  if (found.length > MAX_COMPANIES) return sql`record.company_id IN (${ids})`;
  return sql`record.company_id = ANY(${found.map(({ id }) => id)}::bigint[])`;
}
