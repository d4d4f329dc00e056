import { IsIn } from 'class-validator';
import { ClearableText, Optional, Text } from '../../platform/http/index.js';
import { MATCH_TYPES, type MatchType } from '../conditions/index.js';
import type { ConditionDto } from './condition.dto.js';
import { Conditions } from './conditions.js';

export class UpdateSegmentDto {
  @Optional() @Text(255) name?: string;

  @ClearableText(1000) description?: string | null;

  @Optional() @IsIn(MATCH_TYPES) match_type?: MatchType;

  /** Replaces all of them. */
  @Optional() @Conditions() conditions?: ConditionDto[];
}
