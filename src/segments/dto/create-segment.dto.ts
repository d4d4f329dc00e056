import { IsIn } from 'class-validator';
import { NullableTextField, NameField } from '../../platform/http/fields/index.js';
import { CheckedBy } from '../../platform/http/validation/index.js';
import { conditionErrors } from '../condition-errors.js';
import { MATCH_TYPES, type MatchType } from '../conditions/index.js';
import type { ConditionDto } from './condition.dto.js';
import { Conditions } from './conditions.js';

@CheckedBy(conditionErrors)
export class CreateSegmentDto {
  @NameField(255) name!: string;

  @NullableTextField(1000) description?: string | null;

  @IsIn(MATCH_TYPES) match_type!: MatchType;

  /** 1 to 20 conditions. */
  @Conditions() conditions!: ConditionDto[];
}
