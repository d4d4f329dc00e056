import { IsBoolean, IsIn, IsOptional, IsString } from 'class-validator';
import { IsDayOrInstant, IsEmailAddress, IsId, MaxCodePoints } from '@outreach/http-api/fields';
import { RefersTo } from '@outreach/http-api/validation';
import { cachedCount, type Sql, sql, type SqlValue } from '../../platform/database/index.js';
import { CursorListQuery } from '../../platform/http/cursors/index.js';
import {
  BooleanQuery,
  changedSince,
  IntegerQuery,
  searchTerms,
  type WorkspaceScope,
} from '../../platform/tenancy/index.js';
import { Company } from '../companies/company.entity.js';
import {
  CONTACT_STATUSES,
  type ContactStatus,
  DEFAULT_LIFECYCLE_STAGE,
  LIFECYCLE_STAGES,
  type LifecycleStage,
} from '../contact.entity.js';
import { CONTACT_SORTS } from '../contact-fields.js';
import { searchedText, searchTextContains } from '../contact-text.js';
import { isMember, LISTS, memberCount, TAGS } from '../grouping.js';
import { List } from '../lists/list.entity.js';
import { Tag } from '../tags/tag.entity.js';

const LESS_COMMON_STATUSES = CONTACT_STATUSES.filter((status) => status !== 'active');
const LESS_COMMON_STAGES = LIFECYCLE_STAGES.filter((stage) => stage !== DEFAULT_LIFECYCLE_STAGE);

/** The filters of `GET /contacts` and of the export. The clauses name the contact `record`. */
export class ContactListQuery extends CursorListQuery({
  sort: CONTACT_SORTS,
  enums: { status: CONTACT_STATUSES, lifecycle_stage: LIFECYCLE_STAGES },
}) {
  /** Only contacts with this status. */
  @IsOptional() @IsIn(CONTACT_STATUSES) status?: ContactStatus;
  /** Only contacts at this stage. */
  @IsOptional() @IsIn(LIFECYCLE_STAGES) lifecycle_stage?: LifecycleStage;
  /** Only contacts that are linked to this company. 422 if it does not exist. */
  @IsOptional() @IntegerQuery() @RefersTo(() => Company) @IsId() company_id?: number;
  /** Only contacts in this list. 422 if it does not exist. */
  @IsOptional() @IntegerQuery() @RefersTo(() => List) @IsId() list_id?: number;
  /** Only contacts with this tag. 422 if it does not exist. */
  @IsOptional() @IntegerQuery() @RefersTo(() => Tag) @IsId() tag_id?: number;

  /** Only the contact with this address: the whole address, in any case. */
  @IsOptional() @IsEmailAddress() email?: string;

  /** Only the contact with this ID in another system, compared exactly. */
  @IsOptional() @MaxCodePoints(255) @IsString() external_id?: string;

  /**
   * Only contacts that have changed since this instant (or the beginning of this day in UTC), included. To follow changes, ask
   * for the time of the request before less five minutes: a change that takes long to be stored has the time at which it began.
   */
  @IsOptional() @IsDayOrInstant() updated_since?: string;

  /** With 1 only contacts that are paused now, with 0 only the others. */
  @BooleanQuery() @IsOptional() @IsBoolean() paused?: boolean;

  override *clauses(scope?: Pick<WorkspaceScope, 'now'>): Iterable<Sql> {
    yield* this.groupClauses();
    if (this.updated_since !== undefined) yield changedSince(this.updated_since);
    if (this.status !== undefined) yield sql`record.status = ${this.status}`;
    if (this.lifecycle_stage !== undefined) yield sql`record.lifecycle_stage = ${this.lifecycle_stage}`;
    if (this.company_id !== undefined) yield sql`record.company_id = ${this.company_id}`;
    if (this.email !== undefined) yield sql`record.email = ${this.email}`;
    if (this.external_id !== undefined) yield sql`record.external_id = ${this.external_id}`;
    if (this.paused !== undefined) {
      const isPaused = sql`coalesce(record.paused_until > ${scope?.now ?? sql.realNow}, FALSE)`;
      yield this.paused ? isPaused : sql`NOT ${isPaused}`;
    }
    yield* this.searchClauses();
  }

  /**
   * The counter cache has the number of all contacts and of the contacts of one list or tag. If the filter is a value
   * that most contacts have, the other contacts are counted and subtracted: of a million contacts, counting 900,000
   * active ones takes 80 ms, counting the 100,000 others takes 9 ms.
   */
  override knownTotal(scope: SqlValue): Sql | undefined {
    const groups = [...this.groupClauses()];
    const rest = this.complement();
    const all = [...this.clauses()].length;
    if (groups.length > 1 || all > groups.length + (rest ? 1 : 0)) return undefined;
    const cached = this.cachedTotal(scope);
    if (!rest) return cached;
    const others = sql.all([sql`record.workspace_id = ${scope}`, ...groups, rest]);
    return sql`SELECT ${cached} - (SELECT count(*) FROM contacts record WHERE ${others})`;
  }

  /** `search_text` contains all searched fields in lower case. */
  protected *searchClauses(): Iterable<Sql> {
    for (const term of searchTerms(this.search)) yield searchTextContains(searchedText(term));
  }

  private *groupClauses(): Iterable<Sql> {
    if (this.list_id !== undefined) yield isMember(LISTS, this.list_id);
    if (this.tag_id !== undefined) yield isMember(TAGS, this.tag_id);
  }

  private cachedTotal(scope: SqlValue): Sql {
    if (this.list_id !== undefined) return memberCount(scope, LISTS, sql`${this.list_id}`);
    if (this.tag_id !== undefined) return memberCount(scope, TAGS, sql`${this.tag_id}`);
    return cachedCount(scope, 'contacts');
  }

  /** The contacts that a filter by a common value excludes. */
  private complement(): Sql | undefined {
    if (this.status === 'active') return sql`record.status = ANY(${LESS_COMMON_STATUSES})`;
    if (this.lifecycle_stage === DEFAULT_LIFECYCLE_STAGE)
      return sql`record.lifecycle_stage = ANY(${LESS_COMMON_STAGES})`;
    return undefined;
  }
}
