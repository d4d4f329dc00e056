import { IsIn } from 'class-validator';
import { NullableTextField, OptionalField, NameField } from '../../platform/http/fields/index.js';
import { CheckedBy } from '../../platform/http/validation/index.js';
import { conditionErrors } from '../condition-errors.js';
import { MATCH_TYPES, type MatchType } from '../conditions/index.js';
import type { ConditionDto } from './condition.dto.js';
import { Conditions } from './conditions.js';

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
