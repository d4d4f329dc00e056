import { IsIn, IsOptional } from 'class-validator';
import { ListQuery } from '../../platform/tenancy/index.js';
import { MATCH_TYPES, type MatchType } from '../conditions/index.js';

export class SegmentListQuery extends ListQuery({
  sort: ['created_at', 'updated_at', 'name', 'match_type'],
  search: ['name', 'description'],
  perPage: 15,
  enums: { match_type: MATCH_TYPES },
  filters: ['match_type'],
}) {
  /** Only segments with this match type. */
  @IsOptional() @IsIn(MATCH_TYPES) match_type?: MatchType;
}
