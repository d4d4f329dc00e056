import { is, view } from '@outreach/http-api/responses';
import { ACTIVITY_TYPES, type ActivityType } from './activity-types.js';

/** An entry of the activity of a contact. */
export interface ActivityEntry {
  readonly id: string;
  readonly type: ActivityType;
  readonly occurred_at: Date;
  readonly campaign_id: number | null;
  readonly step_id: number | null;
  readonly message_id: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** API v1, "Contact activity". */
export const activityView = view('Activity', {
  /** Identifies the entry among those of the contact. It stays the same. */
  id: is.string,
  /** What has happened. */
  type: is.oneOf(ACTIVITY_TYPES),
  /** When it has happened. */
  occurred_at: is.timestamp,
  /** The campaign; null for what concerns the contact alone. */
  campaign_id: is.nullable(is.id),
  /** The step of the message, or the step that was skipped or moved to; null if it was deleted. */
  step_id: is.nullable(is.id),
  /** The `Message-ID` of the message, without angle brackets; null if none is concerned. */
  message_id: is.nullable(is.string),
  /** Details, which depend on the type. Types without details have an empty object. */
  data: is.object,
});
