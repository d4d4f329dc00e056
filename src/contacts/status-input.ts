import { DateTime } from 'luxon';
import type { FieldErrors } from '@outreach/http-errors';
import { customRule, isDayOrInstant } from '@outreach/http-api/fields';
import type { InputCheck } from '@outreach/http-api/validation';
import { Contact, type ContactStatus } from './contact.entity.js';

/** What an input says of the status. Undefined fields do not change. */
export interface StatusInput {
  readonly status?: ContactStatus | undefined;
  /** A day (UTC) or an instant. */
  readonly unsubscribed_at?: string | null | undefined;
}

/** The columns of a contact that an input of the status changes. */
export interface StatusColumns {
  readonly status: ContactStatus;
  readonly unsubscribed_at: Date | null;
}

const NEW: StatusColumns = { status: 'active', unsubscribed_at: null };

/** The first year of a date of an unsubscription: an earlier one is an error of the software that sends it. */
const FIRST_YEAR = 1970;

/** @param text a day (UTC) or an instant */
export const instantOf = (text: string): Date => DateTime.fromISO(text, { zone: 'utc' }).toJSDate();

/** The day or instant at which a contact unsubscribed. Whether it is past is checked with the clock of the workspace. */
export const IsUnsubscriptionTime = (): PropertyDecorator =>
  customRule('isUnsubscriptionTime', [], {
    validate: (value) =>
      typeof value === 'string' && isDayOrInstant(value) && instantOf(value).getUTCFullYear() >= FIRST_YEAR,
    message: (field) => `${field} must be a date in the format YYYY-MM-DD or an instant such as 2026-01-15T09:00:00Z`,
    schema: { type: 'string', format: 'date-time', examples: ['2026-01-15T09:00:00Z'] },
  });

const RESUBSCRIBE = 'use POST /contacts/{id}/resubscribe';

/** The error message of a status that a contact does not get by an input; undefined if it may have it. */
export function statusError(from: ContactStatus, to: ContactStatus): string | undefined {
  if (from === to || from === 'active') return undefined;
  if (from === 'complained') return 'status of a contact that has complained does not change';
  if (to !== 'active') return undefined;
  return from === 'unsubscribed'
    ? `status of a contact that has unsubscribed does not become active: ${RESUBSCRIBE}`
    : 'status of a contact whose address has bounced does not become active';
}

/**
 * Returns the errors of an input by field (API v1, "Contact status"): a contact that is out is never active again, and
 * what is not changed may be sent as it is stored.
 * @param stored the contact; undefined if it is new
 */
export function statusErrors(
  { status, unsubscribed_at: at }: StatusInput,
  stored: StatusColumns = NEW,
  now: Date,
): FieldErrors {
  const errors: Record<string, string[]> = {};
  const wrongStatus = status === undefined ? undefined : statusError(stored.status, status);
  const wrongDate = dateError(at, status, stored, now);
  if (wrongStatus !== undefined) errors.status = [wrongStatus];
  if (wrongDate !== undefined) errors.unsubscribed_at = [wrongDate];
  return errors;
}

function dateError(
  at: string | null | undefined,
  status: ContactStatus | undefined,
  stored: StatusColumns,
  now: Date,
): string | undefined {
  if (at === undefined || isSame(at, stored.unsubscribed_at)) return undefined;
  if (at === null) return `unsubscribed_at is not cleared by an update: ${RESUBSCRIBE}`;
  if (instantOf(at) > now) return FUTURE_RULE;
  return status === undefined || status === 'active' ? STATUS_REQUIRED : undefined;
}

/** The error message of a date in the future. */
export const FUTURE_RULE = 'unsubscribed_at must not be in the future';
/** The error message of a date without a status that has one. */
export const STATUS_REQUIRED =
  'unsubscribed_at is set together with status: send status unsubscribed, too, or use POST /contacts/{id}/unsubscribe';

const isSame = (at: string | null, stored: Date | null): boolean =>
  (at === null ? null : instantOf(at).getTime()) === (stored?.getTime() ?? null);

/**
 * Returns the status and the date of a contact after an input without errors. The date is that of the first time: the
 * earlier one of the stored and the sent date.
 * @param stored the contact; undefined if it is new
 */
export function statusColumns(
  { status, unsubscribed_at: at }: StatusInput,
  stored: StatusColumns = NEW,
  now: Date,
): StatusColumns {
  const next = status ?? stored.status;
  if (next === 'active') return NEW;
  const dates = [stored.unsubscribed_at, at == null ? null : instantOf(at)].filter((date) => date !== null);
  const [first] = dates.sort((one, other) => one.getTime() - other.getTime());
  // The address of a contact that has not unsubscribed can bounce.
  return { status: next, unsubscribed_at: first ?? (next === 'bounced' ? null : now) };
}

/** The errors of the status in a body, with the stored contact of its path. */
export const contactStatusErrors: InputCheck<StatusInput> = (input, { context }) =>
  statusErrors(input, context.record(Contact), context.scope.clock.now());
