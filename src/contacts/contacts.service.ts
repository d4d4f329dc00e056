import { Injectable } from '@nestjs/common';
import { ValidationFailed } from '@outreach/http-errors';
import { type Sql, sql } from '../platform/database/index.js';
import { DomainEvents } from '../platform/events/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { ContactAddresses } from './contact-addresses.js';
import { importableValues } from './contact-fields.js';
import { ContactStatuses } from './contact-statuses.js';
import { Contact } from './contact.entity.js';
import { assertContactSize } from './contact-size.js';
import { contactsEvent } from './contact.events.js';
import type { ContactRecord, WrittenContact } from './contact.view.js';
import { contactRecords } from './contacts.queries.js';
import { assertKeyCount, type CustomFieldPatch, readCustomFields } from './custom-fields/custom-field-values.js';
import { CustomFields } from './custom-fields/custom-fields.service.js';
import type { ContactFieldsDto } from './dto/contact-fields.dto.js';
import type { CreateContactDto } from './dto/create-contact.dto.js';
import type { UpdateContactDto } from './dto/update-contact.dto.js';
import { LISTS, TAGS } from './grouping.js';
import { changedStatus, newStatusColumns, recordNewStatus } from './history/status-changes.js';
import { changedConsentColumns, newConsentColumns, recordNewConsent } from './history/tracking-consents.js';
import { addMembers, replaceMemberships } from './memberships.queries.js';

@Injectable()
export class ContactsService {
  constructor(
    private readonly customFields: CustomFields,
    private readonly statuses: ContactStatuses,
    private readonly addresses: ContactAddresses,
    private readonly events: DomainEvents,
  ) {}

  /** @throws ValidationFailed; Conflict if a contact of the workspace has the email; LimitReached */
  create(scope: WorkspaceScope, dto: CreateContactDto): Promise<WrittenContact> {
    return scope.transaction(async (tx) => {
      const patch = await this.defineFields(tx, dto);
      const values = {
        ...importableValues(dto),
        ...newConsentColumns(tx, dto),
        ...newStatusColumns(tx, dto),
        custom_fields: Object.fromEntries(patch.values),
      };
      assertContactSize(values);
      const contact = await tx.of(Contact).insert(values);
      await recordNewConsent(tx, contact);
      await recordNewStatus(tx, contact);
      const [tags, lists] = [dto.tags ?? [], dto.lists ?? []];
      await addMembers(tx, TAGS, tags, sql`SELECT ${contact.id}::bigint`);
      await addMembers(tx, LISTS, lists, sql`SELECT ${contact.id}::bigint`);
      const record = tags.length === 0 && lists.length === 0 ? { ...contact, tags: [], lists: [] } : undefined;
      const refused = await this.addresses.completeCreated(tx, contact, record);
      const written = record && refused === 0 ? record : await contactRecords(tx).get(contact.id);
      return { ...written, ...patch.warning };
    });
  }

  /**
   * @throws ValidationFailed; Conflict if another contact has the email; NotFound if the contact was deleted in the
   *   meantime
   */
  update(scope: WorkspaceScope, { id }: Pick<Contact, 'id'>, dto: UpdateContactDto): Promise<WrittenContact> {
    if (Object.values(dto).every((value) => value === undefined)) return contactRecords(scope).get(id);
    return scope.transaction(async (tx) => {
      const patch = await this.defineFields(tx, dto);
      const consent = await changedConsentColumns(tx, id, dto);
      const status = await changedStatus(tx, id, dto);
      const changes = { ...importableValues(dto), ...consent, ...status.columns, custom_fields: merged(dto, patch) };
      const update = () => contactRecords(tx).update(id, changes);
      const updated = await this.addresses.update(tx, id, dto.email, update);
      assertKeyCount(Object.keys(updated.custom_fields).length);
      assertContactSize(updated);
      if (dto.tags !== undefined) await replaceMemberships(tx, TAGS, id, dto.tags ?? []);
      if (dto.lists !== undefined) await replaceMemberships(tx, LISTS, id, dto.lists ?? []);
      const isComplete = [dto.email, dto.tags, dto.lists].every((value) => value === undefined);
      await this.events.publish(tx, 'contact.updated', contactsEvent([id]), {
        rows: isComplete ? [updated] : undefined,
      });
      if (status.to) await this.statuses.publishSet(tx, [{ id, status: status.to }]);
      if (dto.timezone !== undefined) await this.events.publish(tx, 'contact.timezone_changed', contactsEvent([id]));
      return { ...(isComplete ? updated : await contactRecords(tx).get(id)), ...patch.warning };
    });
  }

  /** Also deletes the contact's enrollments and messages. @throws NotFound */
  delete(scope: WorkspaceScope, id: number): Promise<void> {
    return scope.transaction(async (tx) => {
      await tx.of(Contact).lock(id);
      await this.events.publish(tx, 'contact.deleted', contactsEvent([id]));
      await tx.of(Contact).delete(id);
    });
  }

  /** @throws NotFound */
  unsubscribe(scope: WorkspaceScope, id: number): Promise<ContactRecord> {
    return scope.transaction(async (tx) => {
      await this.statuses.unsubscribeByRequest(tx, id);
      return contactRecords(tx).get(id);
    });
  }

  /** @throws NotFound, NotResubscribable */
  resubscribe(scope: WorkspaceScope, id: number): Promise<ContactRecord> {
    return scope.transaction(async (tx) => {
      await this.statuses.resubscribe(tx, id);
      return contactRecords(tx).get(id);
    });
  }

  /**
   * Creates custom fields for new keys. The types were checked before the transaction; they are checked again because
   * others create fields at the same time.
   */
  private async defineFields(
    tx: WorkspaceScope,
    { custom_fields: input }: ContactFieldsDto,
  ): Promise<CustomFieldPatch & { readonly warning: Pick<WrittenContact, 'new_custom_fields'> }> {
    const patch = readCustomFields(input ?? {});
    const { errors, added } = await this.customFields.defineAndValidate(tx, patch.values);
    if (Object.keys(errors).length > 0) throw new ValidationFailed(errors);
    return { ...patch, warning: added.length === 0 ? {} : { new_custom_fields: added } };
  }
}

/** SQL that merges custom fields into those of the row, so that neither of two concurrent updates is lost. */
function merged({ custom_fields: input }: UpdateContactDto, { values, removed }: CustomFieldPatch): Sql {
  if (input === undefined) return sql`record.custom_fields`;
  if (input === null) return sql`'{}'::jsonb`;
  const added = JSON.stringify(Object.fromEntries(values));
  return sql`(record.custom_fields - ${[...removed]}::text[]) || ${added}::jsonb`;
}
