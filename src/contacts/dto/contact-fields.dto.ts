import { Transform } from 'class-transformer';
import { IsIn, IsObject } from 'class-validator';
import {
  FreeMap,
  NullableField,
  NullableTextField,
  NullResetsTo,
  OptionalField,
  IdOrRecordList,
  IsId,
  IsIanaTimeZone,
  NullableNameField,
} from '@outreach/http-api/fields';
import { RefersTo } from '@outreach/http-api/validation';
import { Company } from '../companies/company.entity.js';
import {
  CONTACT_STATUSES,
  type ContactStatus,
  DEFAULT_LIFECYCLE_STAGE,
  LIFECYCLE_STAGES,
  type LifecycleStage,
  TRACKING_CONSENTS,
  type TrackingConsent,
} from '../contact.entity.js';
import { MAX_CUSTOM_TEXT_LENGTH } from '../custom-fields/custom-field-values.js';
import { List } from '../lists/list.entity.js';
import { listView } from '../lists/list.view.js';
import { IsUnsubscriptionTime } from '../status-input.js';
import { Tag } from '../tags/tag.entity.js';
import { tagView } from '../tags/tag.view.js';

/** The values by key; null removes a key. */
const CUSTOM_FIELDS_SCHEMA = {
  type: 'object',
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'], maxLength: MAX_CUSTOM_TEXT_LENGTH },
};

const MAX_GROUPS = 1000;

const defaultStage = ({ value }: { value: unknown }): unknown => (value === null ? DEFAULT_LIFECYCLE_STAGE : value);

/** The fields that create, update and upsert share (API v1, "Contact"). */
export class ContactFieldsDto {
  /**
   * The ID of the contact in another system, at most 255 characters, compared exactly. 409 if another contact of the
   * workspace has it.
   */
  @NullableTextField(255) external_id?: string | null;
  @NullableNameField(255, 'tabs and line breaks') first_name?: string | null;
  @NullableNameField(255, 'tabs and line breaks') last_name?: string | null;
  @NullableNameField(255, 'tabs and line breaks') company?: string | null;
  @NullableField() @RefersTo(() => Company) @IsId() company_id?: number | null;
  @NullableTextField(50) phone?: string | null;
  @NullableTextField(255) job_title?: string | null;
  @NullableTextField(500) linkedin_url?: string | null;
  @NullableTextField(64) @IsIanaTimeZone() timezone?: string | null;
  /** How far the contact is on the way to being a customer. */
  @Transform(defaultStage) @NullableField() @IsIn(LIFECYCLE_STAGES) lifecycle_stage?: LifecycleStage;
  /**
   * Whether the service may write to the contact. A contact that has opted out in another system is `unsubscribed`, `bounced` or
   * `complained`. No input makes such a contact `active` again: that is 422, and so is another status than `complained`
   * for one that has complained.
   */
  @NullResetsTo('active') @OptionalField() @IsIn(CONTACT_STATUSES) status?: ContactStatus;
  /**
   * When the contact has unsubscribed, as an instant or a day in UTC, not in the future. It comes with a `status` other
   * than `active`; without it that is now. The earlier one of the stored and the sent date stays.
   */
  @NullableField() @IsUnsubscriptionTime() unsubscribed_at?: string | null;
  /**
   * Whether opens and clicks may be measured. A value that differs from the stored one sets `tracking_consent_at`, and
   * `tracking_consent_source` to what the same request names, or null.
   */
  @NullResetsTo('unknown') @OptionalField() @IsIn(TRACKING_CONSENTS) tracking_consent?: TrackingConsent;
  /** How the contact has agreed or refused, such as the name of a form. At most 255 characters. */
  @NullableTextField(255) tracking_consent_source?: string | null;
  /**
   * Values by key: at most 100 keys of 1 to 64 letters, digits, underscores and hyphens. A string has at most 5,000
   * characters. An update keeps the keys that it does not name; null removes a key. A new key becomes a custom field
   * of the workspace, with the type of its first value.
   */
  @FreeMap()
  @NullableField()
  @IsObject({ context: { schema: CUSTOM_FIELDS_SCHEMA } })
  custom_fields?: Readonly<Record<string, unknown>> | null;
  /**
   * The IDs of the tags, at most 1,000; records as a response shows them are accepted, too. An update replaces all
   * tags of the contact.
   */
  @NullableField() @RefersTo(() => Tag) @IdOrRecordList(tagView, MAX_GROUPS) tags?: number[] | null;
  /**
   * The IDs of the lists, at most 1,000; records as a response shows them are accepted, too. An update replaces all
   * lists of the contact.
   */
  @NullableField() @RefersTo(() => List) @IdOrRecordList(listView, MAX_GROUPS) lists?: number[] | null;
}
