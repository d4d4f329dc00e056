import { IsBoolean, IsInt, Max, Min } from 'class-validator';
import { NullableField, NullResetsTo, IsId, OptionalField, RefersTo } from '../../../platform/http/index.js';
import { Template } from '../../../templates/index.js';

/** A year, in minutes. */
const MAX_DELAY_MINUTES = 525_600;

/** The optional fields of a step, on create and on update. */
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
}
