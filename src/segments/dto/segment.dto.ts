import { IsIn, IsOptional } from 'class-validator';
import { ListOf, NameField, NullableTextField, OptionalField } from '@outreach/http-api/fields';
import { CheckedBy } from '@outreach/http-api/validation';
import { ListQuery } from '../../platform/tenancy/index.js';
import { conditionErrors } from '../condition-errors.js';
import { MATCH_TYPES, type MatchType } from '../conditions/index.js';
import { ConditionDto } from './condition.dto.js';

const MAX_CONDITIONS = 20;

/** An array of 1 to 20 conditions. */
const Conditions = (): PropertyDecorator => ListOf(() => ConditionDto, { min: 1, max: MAX_CONDITIONS });

@CheckedBy(conditionErrors)
export class CreateSegmentDto {
  @NameField(255) name!: string;

  @NullableTextField(1000) description?: string | null;

  @IsIn(MATCH_TYPES) match_type!: MatchType;

  /** 1 to 20 conditions. */
  @Conditions() conditions!: ConditionDto[];
}

@CheckedBy(conditionErrors)
export class UpdateSegmentDto {
  @OptionalField() @NameField(255) name?: string;

  @NullableTextField(1000) description?: string | null;

  @OptionalField() @IsIn(MATCH_TYPES) match_type?: MatchType;

  /**
   * 1 to 20 conditions, which replace all that the segment has. A condition whose tag, list, company or custom field
   * was deleted can be sent back as it was read.
   */
  @OptionalField() @Conditions() conditions?: ConditionDto[];
}

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
