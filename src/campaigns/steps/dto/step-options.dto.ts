import { IsBoolean, IsInt, Max, Min } from 'class-validator';
import { NullableField, NullResetsTo, IsId, OptionalField, RefersTo } from '../../../platform/http/index.js';
import { Template } from '../../../templates/index.js';

/** A year, in minutes. */
const MAX_DELAY_MINUTES = 525_600;

/** The optional fields of a step, on create and on update. */
export class StepOptionsDto {
  /** From 1. A position after the end means the end. */
  @NullableField() @Max(Number.MAX_SAFE_INTEGER) @Min(1) @IsInt() position?: number | null;

  @NullableField() @RefersTo(() => Template) @IsId() template_id?: number | null;

  @NullResetsTo(0) @OptionalField() @Max(MAX_DELAY_MINUTES) @Min(0) @IsInt() delay_minutes?: number;

  @NullResetsTo(false) @OptionalField() @IsBoolean() same_thread?: boolean;
}
