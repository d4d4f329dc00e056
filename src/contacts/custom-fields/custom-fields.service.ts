import { Injectable } from '@nestjs/common';
import type { FieldErrors } from '@outreach/http-errors';
import { LimitReached } from '../../platform/errors/index.js';
import { DomainEvents } from '../../platform/events/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { CustomFieldValue } from '../contact.entity.js';
import { contactsEvent } from '../contact.events.js';
import { customValueError, MAX_FIELDS, typeOfValue } from './custom-field-values.js';
import { CustomField, type CustomFieldType } from './custom-field.entity.js';
import {
  countFields,
  eraseAll,
  eraseChunk,
  insertFields,
  lockDefinitions,
  lockTypes,
} from './custom-fields.queries.js';
import type { CreateCustomFieldDto, UpdateCustomFieldDto } from './custom-field.dto.js';

@Injectable()
export class CustomFields {
  constructor(private readonly events: DomainEvents) {}

  /** @throws Conflict if the key is taken; LimitReached */
  create(scope: WorkspaceScope, { key, label, type }: CreateCustomFieldDto): Promise<CustomField> {
    return scope.transaction(async (tx) => {
      await lockDefinitions(tx);
      const field = await tx.of(CustomField).insert({ key, label: label ?? key, type });
      if ((await countFields(tx)) > MAX_FIELDS) throw new LimitReached(MAX_FIELDS, 'custom fields');
      return field;
    });
  }

  update(scope: WorkspaceScope, field: CustomField, { label }: UpdateCustomFieldDto): Promise<CustomField> {
    return scope.of(CustomField).update(field.id, { label: label === null ? field.key : label });
  }

  /**
   * Deletes the field and its values. The values are removed first, in short transactions: a single one over a million
   * contacts would lock them for a minute. The field is deleted together with the last values, so a delete that was
   * interrupted can be repeated.
   * @throws NotFound
   */
  async delete(scope: WorkspaceScope, id: number): Promise<void> {
    const { key } = await scope.of(CustomField).get(id);
    let after: number | null = 0;
    while (after !== null) {
      after = await this.eraseNext(scope, key, after);
      await scope.commitChunk();
    }
    await scope.withoutStatementLimit().transaction(async (tx) => {
      await tx.of(CustomField).lock(id);
      await this.publishUpdated(tx, await eraseAll(tx, key));
      await tx.of(CustomField).delete(id);
    });
  }

  /**
   * Creates custom fields for new keys, with the type of their value, and checks the other values against their type.
   * @returns the errors by `custom_fields.<key>`, and the keys of the new fields
   */
  async defineAndValidate(
    tx: WorkspaceScope,
    values: ReadonlyMap<string, CustomFieldValue>,
  ): Promise<{ readonly errors: FieldErrors; readonly added: readonly string[] }> {
    const { types, added } = await this.define(
      tx,
      new Map([...values].map(([key, value]) => [key, typeOfValue(value)])),
    );
    const errors = [...values].flatMap(([key, value]) => {
      const error = customValueError(value, types.get(key));
      return error ? [[`custom_fields.${key}`, [error]] as const] : [];
    });
    return { errors: Object.fromEntries(errors), added };
  }

  /**
   * Creates custom fields for new keys. Other transactions cannot delete the fields before this one ends.
   * @param wanted the type that each key gets if it is new
   * @returns the type of each key, where keys beyond the workspace's limit are missing, and the keys of the new fields
   */
  async define(
    tx: WorkspaceScope,
    wanted: ReadonlyMap<string, CustomFieldType>,
  ): Promise<{ readonly types: ReadonlyMap<string, CustomFieldType>; readonly added: readonly string[] }> {
    if (wanted.size === 0) return { types: wanted, added: [] };
    const known = await lockTypes(tx, [...wanted.keys()]);
    const missing = new Map([...wanted].filter(([key]) => !known.has(key)));
    if (missing.size === 0) return { types: known, added: [] };
    await lockDefinitions(tx);
    const added = await insertFields(tx, missing);
    return { types: await lockTypes(tx, [...wanted.keys()]), added };
  }

  private eraseNext(scope: WorkspaceScope, key: string, after: number): Promise<number | null> {
    return scope.transaction(async (tx) => {
      const { last, contacts } = await eraseChunk(tx, key, after);
      await this.publishUpdated(tx, contacts);
      return last;
    });
  }

  private async publishUpdated(tx: WorkspaceScope, contacts: readonly number[]): Promise<void> {
    if (contacts.length > 0) await this.events.publish(tx, 'contact.updated', contactsEvent(contacts));
  }
}
