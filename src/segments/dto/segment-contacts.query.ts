import { IsBoolean, IsOptional } from 'class-validator';
import { ContactListQuery, personSearch } from '../../contacts/index.js';
import { type Sql, sql } from '../../platform/database/index.js';
import { BooleanQuery, searchTerms, type WorkspaceScope } from '../../platform/tenancy/index.js';

/** The query of `GET /segments/{id}/contacts`. For `has_…`, 1 selects contacts with a value, 0 those without. */
export class SegmentContactsQuery extends ContactListQuery {
  override per_page: number = 15;

  /** With 1 only contacts with an address, with 0 only those without. */
  @BooleanQuery() @IsOptional() @IsBoolean() has_email?: boolean;
  /** With 1 only contacts with a LinkedIn address, with 0 only those without. */
  @BooleanQuery() @IsOptional() @IsBoolean() has_linkedin?: boolean;
  /** With 1 only contacts with a company, linked or as a text; with 0 only those without. */
  @BooleanQuery() @IsOptional() @IsBoolean() has_company?: boolean;

  override *clauses(scope?: Pick<WorkspaceScope, 'now'>): Iterable<Sql> {
    yield* super.clauses(scope);
    if (this.has_email !== undefined) yield has(this.has_email, sql`coalesce(record.email, '') = ''`);
    if (this.has_linkedin !== undefined) yield has(this.has_linkedin, sql`coalesce(record.linkedin_url, '') = ''`);
    if (this.has_company !== undefined) {
      yield has(this.has_company, sql`record.company_id IS NULL AND coalesce(record.company, '') = ''`);
    }
  }

  /** SQL conditions of `search`: each term must occur in email, name, job title or the name of the linked company. */
  searchIn(scope: WorkspaceScope): Promise<Sql[]> {
    return personSearch(scope, searchTerms(this.search));
  }

  /** Empty because the search needs the workspace; see {@link searchIn}. */
  protected override *searchClauses(): Iterable<Sql> {}
}

const has = (wanted: boolean, lacks: Sql): Sql => (wanted ? sql`NOT (${lacks})` : lacks);
