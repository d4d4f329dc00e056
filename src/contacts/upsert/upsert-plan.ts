import type { FieldErrors } from '@outreach/http-errors';
import { CONTACT_SIZE_RULE } from '../contact-size.js';
import { EmailTaken, ExternalIdTaken } from '../contact.entity.js';
import {
  COUNT_RULE,
  customValueError,
  type CustomFieldPatch,
  MAX_FIELDS,
  readCustomFields,
  typeOfValue,
} from '../custom-fields/custom-field-values.js';
import type { CustomFieldType } from '../custom-fields/custom-field.entity.js';
import { EMAIL_REQUIRED } from '../dto/upsert-contact.dto.js';
import type { UpsertStatus } from './bulk-upsert.view.js';
import type { ContactInputDto, BulkUpsertDto } from './dto/bulk-upsert.dto.js';
import { type ContactColumns, PlannedContact, type Sizes, type StoredContact } from './planned-contact.js';

/** What the plan knows of the workspace. The rows are locked. */
export interface PlannedWorkspace {
  /** The contacts that have an email or an external ID of the records. */
  readonly stored: readonly StoredContact[];
  /** The types of those keys of the records that are custom fields. */
  readonly types: ReadonlyMap<string, CustomFieldType>;
  /** The number of all custom fields. */
  readonly fields: number;
  readonly now: Date;
}

export interface PlannedRecord {
  readonly status: UpsertStatus;
  /** Undefined if the record failed. */
  readonly contact?: PlannedContact;
  readonly errors?: FieldErrors;
}

const EMAIL_ERRORS: FieldErrors = { email: [new EmailTaken().message] };
const ID_ERRORS: FieldErrors = { external_id: [new ExternalIdTaken().message] };

/**
 * Decides what becomes of each record of a bulk upsert, as if they came one after the other: each sees the contacts as the
 * records before it have left them. Writes nothing: {@link changes} are to be written, and then forgotten.
 */
export class UpsertPlan {
  /** The types of new custom fields. */
  readonly added = new Map<string, CustomFieldType>();
  private readonly byEmail = new Map<string, PlannedContact>();
  private readonly byExternalId = new Map<string, PlannedContact>();
  private readonly changed = new Set<PlannedContact>();
  /** Emails and external IDs that contacts have in the database, but no longer in the plan. */
  private readonly released = new Set<string>();

  constructor(
    private readonly workspace: PlannedWorkspace,
    private readonly options: Pick<BulkUpsertDto, 'match' | 'on_match'>,
  ) {
    for (const each of workspace.stored) this.index(new PlannedContact(each));
  }

  get changes(): readonly PlannedContact[] {
    return [...this.changed];
  }

  setWritten(): void {
    this.changed.clear();
    this.released.clear();
  }

  /**
   * Whether a record can only be written after the changes before it: it takes an email or an external ID that another
   * contact has in the database, or gives an address to a contact that has got another one.
   */
  needsEarlierChanges(record: ContactInputDto): boolean {
    const { email, external_id: id } = record;
    const found = this.find(record);
    const isRenamedAgain = email !== undefined && found?.hasNewEmail === true && found.email !== email;
    return isRenamedAgain || this.released.has(`email:${email}`) || this.released.has(`id:${id}`);
  }

  add(record: ContactInputDto): PlannedRecord {
    const { match, on_match: onMatch } = this.options;
    if (record[match] == null) return failed({ [match]: [`${match} is required, because contacts are matched by it`] });
    const patch = readCustomFields(record.custom_fields ?? {});
    const errors = { ...this.typeErrors(patch), ...patch.errors };
    if (Object.keys(errors).length > 0) return failed(errors);
    const found = this.find(record);
    if (found && onMatch === 'skip') return { status: 'skipped', contact: found };
    if (!found && record.email === undefined) return failed({ email: [EMAIL_REQUIRED] });
    const status = found ? 'updated' : 'created';
    if (found && !hasChanges(record, match)) return { status, contact: found };
    return this.change(found ?? new PlannedContact(), record, patch, status);
  }

  private change(
    contact: PlannedContact,
    record: ContactInputDto,
    patch: CustomFieldPatch,
    status: 'created' | 'updated',
  ): PlannedRecord {
    const columns = contact.columnsWith(record, this.workspace.now);
    const sizes = contact.sizesWith(patch, record.custom_fields === null, columns);
    const errors = {
      ...contact.statusErrors(record, this.workspace.now),
      ...this.takenErrors(contact, columns),
      ...sizeErrors(sizes),
    };
    if (Object.keys(errors).length > 0) return failed(errors);
    this.release(contact);
    contact.apply(record, patch, columns, sizes);
    this.index(contact);
    contact.isUpdated ||= status === 'updated';
    this.changed.add(contact);
    this.define(patch);
    return { status, contact };
  }

  private find(record: ContactInputDto): PlannedContact | undefined {
    const { email, external_id: id } = record;
    if (this.options.match === 'email') return email === undefined ? undefined : this.byEmail.get(email);
    return id == null ? undefined : this.byExternalId.get(id);
  }

  private takenErrors(contact: PlannedContact, { email, external_id: id }: ContactColumns): FieldErrors {
    const isOther = (other: PlannedContact | undefined): boolean => other !== undefined && other !== contact;
    return {
      ...(isOther(this.byEmail.get(String(email))) ? EMAIL_ERRORS : {}),
      ...(id !== null && isOther(this.byExternalId.get(String(id))) ? ID_ERRORS : {}),
    };
  }

  /** New keys become custom fields, in the order of their names, as long as the workspace may have more. */
  private typeErrors({ values }: CustomFieldPatch): FieldErrors {
    const isKnown = (key: string): boolean => this.workspace.types.has(key) || this.added.has(key);
    const unknown = [...values.keys()].filter((key) => !isKnown(key)).sort();
    const refused = new Set(unknown.slice(Math.max(0, MAX_FIELDS - this.workspace.fields - this.added.size)));
    const errors = [...values].flatMap(([key, value]) => {
      const type = this.workspace.types.get(key) ?? this.added.get(key);
      if (!type && !refused.has(key)) return [];
      const error = customValueError(value, type);
      return error ? [[`custom_fields.${key}`, [error]] as const] : [];
    });
    return Object.fromEntries(errors);
  }

  private define({ values }: CustomFieldPatch): void {
    for (const [key, value] of values) if (!this.workspace.types.has(key)) this.addType(key, typeOfValue(value));
  }

  private addType(key: string, type: CustomFieldType): void {
    if (!this.added.has(key)) this.added.set(key, type);
  }

  private index(contact: PlannedContact): void {
    this.byEmail.set(contact.email, contact);
    this.released.delete(`email:${contact.email}`);
    if (contact.externalId === null) return;
    this.byExternalId.set(contact.externalId, contact);
    this.released.delete(`id:${contact.externalId}`);
  }

  private release(contact: PlannedContact): void {
    if (contact.columns.email === null) return;
    this.byEmail.delete(contact.email);
    this.released.add(`email:${contact.email}`);
    if (contact.externalId === null) return;
    this.byExternalId.delete(contact.externalId);
    this.released.add(`id:${contact.externalId}`);
  }
}

const failed = (errors: FieldErrors): PlannedRecord => ({ status: 'failed', errors });

const hasChanges = (record: ContactInputDto, match: string): boolean =>
  Object.entries(record).some(([name, value]) => name !== match && value !== undefined);

const sizeErrors = ({ isOverfull, isTooLarge }: Sizes): FieldErrors => ({
  ...(isTooLarge ? { custom_fields: [CONTACT_SIZE_RULE] } : {}),
  ...(isOverfull ? { custom_fields: [COUNT_RULE] } : {}),
});
