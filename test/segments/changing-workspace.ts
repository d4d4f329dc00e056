import fc from 'fast-check';
import type { ApiResponse, ApiClient } from '../support/api-client.js';
import type { CustomFieldTypes, ShownContact } from '../support/segment-evaluator.js';
import { TEXT_FIELDS } from '../support/segment-fields.js';
import { contactsOf, CUSTOM_FIELDS, type CustomKey, someCustomFields, type SomeContact } from './random-contacts.js';
import type { Workspace } from './random-segments.js';

interface Group {
  readonly id: number;
  readonly name: string;
}

/** The current records of a workspace, as the API returns them. */
export interface Snapshot extends Workspace {
  readonly companies: readonly Group[];
}

export const CHANGES = [
  ...['create', 'rewrite', 'rewrite', 'custom fields', 'custom fields', 'clear a value', 'regroup', 'delete'],
  ...['unsubscribe', 'unsubscribe', 'resubscribe', 'tag', 'untag', 'list', 'unlist', 'employ', 'import'],
  ...['delete tag', 'delete list', 'delete company', 'erase field', 'new type'],
] as const;

/** One change of a workspace. `recordIndex` and `otherIndex` are indexes of its records, modulo their number. */
export const someChange = fc.record({
  kind: fc.constantFrom(...CHANGES),
  recordIndex: fc.nat(10_000),
  otherIndex: fc.nat(10_000),
  seed: fc.nat(1_000_000),
});
export type Change = typeof someChange extends fc.Arbitrary<infer C> ? C : never;

/** A workspace that is filled and changed by the API only. */
export class ChangingWorkspace {
  private created = 0;

  constructor(readonly api: ApiClient) {}

  /** Creates custom fields, companies, tags, lists and contacts. @param imported how many of the contacts are imported */
  async fill(contacts: number, imported: number, seed: number): Promise<void> {
    for (const [key, type] of Object.entries(CUSTOM_FIELDS)) await this.define(key, type);
    for (const path of ['/companies', '/tags', '/lists']) {
      for (let nth = 0; nth < 5; nth++) await this.group(path);
    }
    const people = this.next(contacts, seed);
    await this.importContacts(people.slice(0, imported), false);
    const snapshot = await this.snapshot();
    for (const [index, contact] of people.slice(imported).entries()) await this.create(contact, seed + index, snapshot);
  }

  /** Reads all records, page by page. */
  async snapshot(): Promise<Snapshot> {
    const [contacts, companies, tags, lists, fields] = [
      await this.all<ShownContact>('/contacts'),
      await this.all<Group>('/companies'),
      await this.all<Group>('/tags'),
      await this.all<Group>('/lists'),
      await this.all<{ key: string; type: string }>('/custom-fields'),
    ];
    const ids = (groups: readonly Group[]): number[] => groups.map(({ id }) => id);
    return {
      contacts,
      companies,
      company_ids: ids(companies),
      tag_ids: ids(tags),
      list_ids: ids(lists),
      types: new Map(fields.map(({ key, type }) => [key, type])),
    };
  }

  /** Returns all records of a list. */
  async all<T>(path: string, perPage = 100): Promise<T[]> {
    const found: T[] = [];
    for (let page = 1; ; page++) {
      const { body } = await this.done(
        this.api.get(`${path}${path.includes('?') ? '&' : '?'}page=${page}&per_page=${perPage}&sort=created_at`),
      );
      found.push(...(body.data as T[]));
      if (page >= body.meta.last_page) return found;
    }
  }

  /** Makes one change. Nothing happens if its records have been deleted by another change. */
  async change({ kind, recordIndex, otherIndex, seed }: Change, snapshot: Snapshot): Promise<void> {
    const contact = nth(snapshot.contacts, recordIndex);
    const other = nth(snapshot.contacts, otherIndex);
    const [tag, list, company] = [
      nth(snapshot.tag_ids, otherIndex),
      nth(snapshot.list_ids, otherIndex),
      nth(snapshot.company_ids, otherIndex),
    ];
    const { api } = this;
    const [fresh] = fc.sample(someCustomFields, { seed, numRuns: 1 });
    switch (kind) {
      case 'create':
        return this.create(only(this.next(1, seed)), seed, snapshot);
      case 'rewrite': {
        const { email: _, custom_fields: __, ...fields } = only(contactsOf(1, seed));
        return this.tried(api.put(`/contacts/${contact.id}`, fields));
      }
      case 'custom fields':
        return this.tried(api.put(`/contacts/${contact.id}`, { custom_fields: this.fitting(fresh ?? {}, snapshot) }));
      case 'clear a value': {
        const [key] = Object.keys(contact.custom_fields);
        return this.tried(api.put(`/contacts/${contact.id}`, { custom_fields: key ? { [key]: null } : null }));
      }
      case 'regroup':
        return this.tried(api.put(`/contacts/${contact.id}`, { tags: [tag], lists: snapshot.list_ids.slice(0, 2) }));
      case 'employ':
        return this.tried(api.put(`/contacts/${contact.id}`, { company_id: otherIndex % 3 === 0 ? null : company }));
      case 'delete':
        return this.tried(api.delete(`/contacts/${contact.id}`));
      case 'unsubscribe':
      case 'resubscribe':
        return this.tried(api.post(`/contacts/${contact.id}/${kind}`));
      case 'tag':
        return this.tried(api.post(`/tags/${tag}/contacts`, { contact_ids: [contact.id, other.id] }));
      case 'untag':
        return this.tried(api.delete(`/tags/${tag}/contacts`, { contact_ids: [contact.id, other.id] }));
      case 'list':
        return this.tried(api.post(`/lists/${list}/contacts`, { contact_ids: [contact.id, other.id] }));
      case 'unlist':
        return this.tried(api.delete(`/lists/${list}/contacts`, { contact_ids: [contact.id, other.id] }));
      case 'import': {
        const rows = contactsOf(2, seed).map((row, index) => ({ ...row, email: index ? row.email : contact.email }));
        return this.importContacts(rows, false);
      }
      case 'delete tag':
        await this.tried(api.delete(`/tags/${tag}`));
        return this.group('/tags');
      case 'delete list':
        await this.tried(api.delete(`/lists/${list}`));
        return this.group('/lists');
      case 'delete company':
        await this.tried(api.delete(`/companies/${company}`));
        return this.group('/companies');
      case 'erase field':
      case 'new type':
        return this.erase(otherIndex, kind === 'new type');
      default:
        return kind satisfies never;
    }
  }

  private async create(contact: SomeContact, seed: number, snapshot: Snapshot): Promise<void> {
    const isIn = (_: number, index: number): boolean => seed % 2 === 1 && ((seed * 7919) >> index) % 2 === 1;
    await this.tried(
      this.api.post('/contacts', {
        ...contact,
        custom_fields: this.fitting(contact.custom_fields, snapshot),
        company_id: seed % 3 === 0 ? null : nth(snapshot.company_ids, seed),
        tags: snapshot.tag_ids.filter(isIn),
        lists: snapshot.list_ids.toReversed().filter(isIn),
      }),
    );
  }

  /** Deletes a custom field and creates it again; if `again`, as a text field. */
  private async erase(recordIndex: number, again: boolean): Promise<void> {
    const fields = await this.all<{ id: number; key: string }>('/custom-fields');
    const field = fields.length === 0 ? undefined : nth(fields, recordIndex);
    if (!field) return;
    await this.tried(this.api.delete(`/custom-fields/${field.id}`));
    if (again) await this.define(field.key, 'text');
    else await this.define(field.key, CUSTOM_FIELDS[field.key as CustomKey]);
  }

  /** Imports a file with all columns. */
  private async importContacts(contacts: readonly SomeContact[], skip: boolean): Promise<void> {
    const types = await this.types();
    const columns = TEXT_FIELDS.filter((field) => field !== 'full_name');
    const keys = [...types.keys()];
    const rows = contacts.map((contact) => {
      const custom: Record<string, string | number | boolean> = this.fitting(contact.custom_fields, { types });
      return [...columns.map((column) => contact[column]), ...keys.map((key) => custom[key])];
    });
    const header = [...columns, ...keys.map((key) => `custom_fields.${key}`)];
    const csv = [header, ...rows].map((row) => row.map(cell).join(',')).join('\n');
    const form = new FormData();
    form.append('skip_duplicates', String(skip));
    form.append('file', new Blob([csv]), 'people.csv');
    const { data } = await this.done(this.api.call('POST', '/contacts/import', form));
    // Another contact may have the same external ID.
    const errors = data.errors.filter(({ field }: { field: string }) => field !== 'external_id');
    if (errors.length > 0) throw new Error(JSON.stringify(errors));
  }

  private async types(): Promise<CustomFieldTypes> {
    const fields = await this.all<{ key: string; type: string }>('/custom-fields');
    return new Map(fields.map(({ key, type }) => [key, type]));
  }

  /** Converts the values to the current types of the custom fields; drops those of deleted fields. */
  private fitting(
    values: SomeContact['custom_fields'],
    { types }: Pick<Snapshot, 'types'>,
  ): SomeContact['custom_fields'] {
    return Object.fromEntries(
      Object.entries(values).flatMap(([key, value]) => {
        if (types.get(key) === CUSTOM_FIELDS[key as CustomKey]) return [[key, value]];
        return types.has(key) ? [[key, `now ${value}`]] : [];
      }),
    );
  }

  private next(count: number, seed: number): SomeContact[] {
    const contacts = contactsOf(count, seed, this.created);
    this.created += count;
    return contacts;
  }

  private async group(path: string): Promise<void> {
    this.created += 1;
    await this.done(
      this.api.post(path, { name: `${nth(['Ada', 'Straße %', 'O_o', 'x'], this.created)} ${this.created}` }),
    );
  }

  private async define(key: string, type: string): Promise<void> {
    await this.tried(this.api.post('/custom-fields', { key, label: key, type }));
  }

  private async done(response: Promise<ApiResponse>): Promise<ApiResponse> {
    const { status, body } = await response;
    if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
    return response;
  }

  /** Accepts the errors that a concurrent change can cause. */
  private async tried(response: Promise<ApiResponse>): Promise<void> {
    const { status, body } = await response;
    if (![200, 201, 204, 404, 409, 422].includes(status)) throw new Error(`${status}: ${JSON.stringify(body)}`);
  }
}

function nth<T>(of: readonly T[], index: number): T {
  const found = of[index % of.length];
  if (found === undefined) throw new Error('The list is empty.');
  return found;
}

const only = <T>(of: readonly T[]): T => nth(of, 0);

const cell = (value: string | number | boolean | null | undefined): string =>
  value === null || value === undefined ? '' : `"${String(value).replaceAll('"', '""')}"`;
