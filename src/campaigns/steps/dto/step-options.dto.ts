import { IsBoolean, IsIn, IsInt, Max, Min } from 'class-validator';
import { NullableField, NullResetsTo, IsId, ListOf, OptionalField } from '@outreach/http-api/fields';
import { CheckedBy, RefersTo } from '@outreach/http-api/validation';
import { AreVariableNames, Template } from '../../../templates/index.js';

import { STEP_CONDITIONS, type StepCondition } from '../step.entity.js';
import { MAX_VARIANTS, VariantDto, weightErrors } from './step-variant.dto.js';
import { requiredVariableErrors } from './required-variables.js';

/** A year, in minutes. */
const MAX_DELAY_MINUTES = 525_600;

/** The optional fields of a step, on create and on update. */
@CheckedBy(requiredVariableErrors)
@CheckedBy(weightErrors)
export class StepOptionsDto {
  /**
   * The place in the sequence, from 1; the steps from there on move up by one. A position after the end means the end,
   * and so does none.
   */
  @NullableField() @Max(Number.MAX_SAFE_INTEGER) @Min(1) @IsInt() position?: number | null;

  /** The template to copy `subject` and `body` from, where they are absent. */
  @NullableField() @RefersTo(() => Template) @IsId() template_id?: number | null;

  @NullResetsTo(0) @OptionalField() @Max(MAX_DELAY_MINUTES) @Min(0) @IsInt() delay_minutes?: number;

  @NullResetsTo(false) @OptionalField() @IsBoolean() same_thread?: boolean;

  @NullableField() @IsIn(STEP_CONDITIONS) only_if?: StepCondition | null;

  /** The names of at most 500 variables: fields of contacts, and custom fields with or without `custom_fields.` */
  @NullResetsTo([]) @OptionalField() @AreVariableNames() required_variables?: string[];

  /** At most five texts, of which each contact gets one; an update replaces all variants of the step. */
  @NullResetsTo([])
  @OptionalField()
  @ListOf(() => VariantDto, { max: MAX_VARIANTS })
  variants?: VariantDto[];
}
