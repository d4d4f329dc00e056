import { IsBoolean, IsInt, Max, Min } from 'class-validator';
import { Clearable, ClearedTo, IsId, Optional } from '../../../platform/http/index.js';

/** A year, in minutes. */
const LONGEST_DELAY = 525_600;

/** What a step can do without, on create as on update. */
export class StepOptionsDto {
  /** From 1; one past the end is the end. */
  @Clearable() @Max(Number.MAX_SAFE_INTEGER) @Min(1) @IsInt() position?: number | null;

  @Clearable() @IsId() template_id?: number | null;

  @ClearedTo(0) @Optional() @Max(LONGEST_DELAY) @Min(0) @IsInt() delay_minutes?: number;

  @ClearedTo(false) @Optional() @IsBoolean() same_thread?: boolean;
}
