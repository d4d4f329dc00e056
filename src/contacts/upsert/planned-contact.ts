import type { FieldErrors } from '@outreach/http-errors';
import { contactField, IMPORT_FIELDS, type ImportField } from '../contact-fields.js';
import { MAX_CONTACT_BYTES } from '../contact-size.js';
import { CONTACT_STATUSES, type ContactStatus, type CustomFieldValue } from '../contact.entity.js';
import { type CustomFieldPatch, MAX_KEYS } from '../custom-fields/custom-field-values.js';
import { type StatusColumns, statusColumns, statusErrors } from '../status-input.js';
import type { ContactInputDto } from './dto/bulk-upsert.dto.js';

/** The columns of a contact that clients set. */
export type ContactColumns = { readonly [Name in ImportField]: string | number | null };

/** A stored contact, without the values of its custom fields, which can be large. */
export interface StoredContact {
  readonly id: number;
  readonly columns: ContactColumns;
  /** The size of each custom field's value as JSON, by key. */
  readonly custom_sizes: Readonly<Record<string, number>>;
}

export interface PlannedChange {
  readonly old_value: string | number | null;
  readonly new_value: string | number | null;
}

/** How the custom fields of a contact change: `is_reset` first removes all. */
interface CustomFieldChanges {
  is_reset: boolean;
  readonly removed: Set<string>;
  readonly values: Map<string, CustomFieldValue>;
}

/**
 * A contact as it is after some records of a bulk upsert. Its changes are written later, together with those of others.
 */
export class PlannedContact {
  /** Undefined until the contact is inserted. */
  id: number | undefined;
  columns: ContactColumns;
  /** The address before the changes that are not written yet; undefined if the contact is not inserted. */
  writtenEmail: string | undefined;
  private sizes: Map<string, number>;
  custom: CustomFieldChanges = noChanges();
  consents: PlannedChange[] = [];
  statuses: PlannedChange[] = [];
  tags: readonly number[] | undefined;
  lists: readonly number[] | undefined;
  isUpdated = false;
  hasTimezone = false;
  /** Whether a record names the status. */
  hasStatus = false;

  constructor(stored?: StoredContact) {
    this.id = stored?.id;
    this.columns = stored?.columns ?? NEW_CONTACT;
    this.writtenEmail = this.email;
    this.sizes = new Map(Object.entries(stored?.custom_sizes ?? {}));
    if (!stored) this.writtenEmail = undefined;
  }

  get email(): string {
    return String(this.columns.email);
  }

  get status(): StatusColumns {
    const { status, unsubscribed_at: at } = this.columns;
    return { status: knownStatus(status), unsubscribed_at: at === null ? null : new Date(at) };
  }

  get externalId(): string | null {
    const { external_id: id } = this.columns;
    return id === null ? null : String(id);
  }

  /** Whether its address changes, or it is inserted, by what is not written yet. */
  get hasNewEmail(): boolean {
    return this.writtenEmail !== this.email;
  }

  /** The errors of what a record says of the status. */
  statusErrors(record: ContactInputDto, now: Date): FieldErrors {
    return statusErrors(record, this.status, now);
  }

  /** The columns after a record. Undefined fields do not change. */
  columnsWith(record: ContactInputDto, now: Date): ContactColumns {
    const changed = Object.entries(record).filter(([name, value]) => isColumn(name) && value !== undefined);
    const { status, unsubscribed_at: at } = statusColumns(record, this.status, now);
    const columns: ContactColumns = {
      ...this.columns,
      ...Object.fromEntries(changed),
      ...{ status, unsubscribed_at: at?.toISOString() ?? null },
    };
    const hasNewConsent = columns.tracking_consent !== this.columns.tracking_consent;
    // A consent that differs is no longer that of the earlier source.
    return hasNewConsent && record.tracking_consent_source === undefined
      ? { ...columns, tracking_consent_source: null }
      : columns;
  }

  /** The sizes of the custom fields after a record, or undefined if the contact would have too many or be too large. */
  sizesWith(patch: CustomFieldPatch, isReset: boolean, columns: ContactColumns): Sizes {
    const sizes = new Map(isReset ? [] : this.sizes);
    for (const key of patch.removed) sizes.delete(key);
    for (const [key, value] of patch.values) sizes.set(key, Buffer.byteLength(JSON.stringify(value)));
    let bytes = Buffer.byteLength(JSON.stringify(columns));
    for (const [key, size] of sizes) bytes += key.length + QUOTES_AND_SEPARATORS + size;
    return { sizes, isOverfull: sizes.size > MAX_KEYS, isTooLarge: bytes > MAX_CONTACT_BYTES };
  }

  apply(record: ContactInputDto, patch: CustomFieldPatch, columns: ContactColumns, { sizes }: Sizes): void {
    const consent = { old_value: this.columns.tracking_consent, new_value: columns.tracking_consent };
    if (consent.old_value !== consent.new_value) this.consents.push(consent);
    const status = { old_value: this.columns.status, new_value: columns.status };
    if (status.old_value !== status.new_value) this.statuses.push(status);
    this.hasStatus ||= record.status !== undefined;
    this.columns = columns;
    this.sizes = sizes;
    this.changeCustomFields(patch, record.custom_fields === null);
    if (record.tags !== undefined) this.tags = record.tags ?? [];
    if (record.lists !== undefined) this.lists = record.lists ?? [];
    this.hasTimezone ||= record.timezone !== undefined;
  }

  setWritten(id: number): void {
    this.id = id;
    this.writtenEmail = this.email;
    this.custom = noChanges();
    this.consents = [];
    this.statuses = [];
    this.hasStatus = false;
    this.tags = undefined;
    this.lists = undefined;
    this.isUpdated = false;
    this.hasTimezone = false;
  }

  private changeCustomFields({ removed, values }: CustomFieldPatch, isReset: boolean): void {
    if (isReset) this.custom = { ...noChanges(), is_reset: true };
    for (const key of removed) {
      this.custom.values.delete(key);
      this.custom.removed.add(key);
    }
    for (const [key, value] of values) this.custom.values.set(key, value);
  }
}

/** The sizes of the custom fields of a contact, and whether they exceed its limits. */
export interface Sizes {
  readonly sizes: Map<string, number>;
  readonly isOverfull: boolean;
  readonly isTooLarge: boolean;
}

/** Around a key and its value in JSON. */
const QUOTES_AND_SEPARATORS = 4;

const noChanges = (): CustomFieldChanges => ({ is_reset: false, removed: new Set(), values: new Map() });

const knownStatus = (value: unknown): ContactStatus => CONTACT_STATUSES.find((status) => status === value) ?? 'active';

const isColumn = (name: string): boolean => IMPORT_FIELDS.some((field) => field === name);

const NEW_CONTACT = initialColumns();

function initialColumns(): ContactColumns;
function initialColumns(): object {
  return Object.fromEntries(IMPORT_FIELDS.map((name) => [name, contactField(name).default ?? null]));
}
