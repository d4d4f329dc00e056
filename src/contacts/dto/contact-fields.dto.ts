import { Transform } from 'class-transformer';
import { IsIn, IsObject } from 'class-validator';
import { AsSent, Clearable, ClearableText, Ids, IsId } from '../../platform/http/index.js';
import { DEFAULT_LIFECYCLE_STAGE, LIFECYCLE_STAGES, type LifecycleStage } from '../contact.entity.js';

const MOST_GROUPS = 1000;

const defaultStage = ({ value }: { value: unknown }): unknown => (value === null ? DEFAULT_LIFECYCLE_STAGE : value);

/** What creating and changing a contact have in common (API v1, "Contact"). */
export class ContactFieldsDto {
  @ClearableText(255) first_name?: string | null;
  @ClearableText(255) last_name?: string | null;
  @ClearableText(255) company?: string | null;
  @Clearable() @IsId() company_id?: number | null;
  @ClearableText(50) phone?: string | null;
  @ClearableText(255) job_title?: string | null;
  @ClearableText(500) linkedin_url?: string | null;
  @Transform(defaultStage) @Clearable() @IsIn(LIFECYCLE_STAGES) lifecycle_stage?: LifecycleStage;
  @AsSent() @Clearable() @IsObject() custom_fields?: Readonly<Record<string, unknown>> | null;
  /** IDs of tags; in an update they replace those before. */
  @Clearable() @Ids(MOST_GROUPS) tags?: number[] | null;
  /** IDs of lists; in an update they replace those before. */
  @Clearable() @Ids(MOST_GROUPS) lists?: number[] | null;
}
