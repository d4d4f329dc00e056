import { Readable } from 'node:stream';
import { Injectable, StreamableFile } from '@nestjs/common';
import { stringify } from 'csv-stringify/sync';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { ContactRecord } from '../contact.view.js';
import { contactRecords } from '../contacts.queries.js';
import { CustomField } from '../custom-fields/custom-field.entity.js';
import type { ContactListQuery } from '../dto/contact-list.query.js';
import { cellsOf, headerOf } from './export-row.js';

/** Contacts that are read at once. One may hold a megabyte of custom fields. */
const BATCH = 1_000;

/** Contacts as CSV, in a form that the import takes back (API v1, "Contacts"). */
@Injectable()
export class ContactExport {
  /**
   * A CSV of what the list would show, in its order and without its pages. It is read as fast as the client takes it.
   * @throws ValidationFailed when the query refers to a record of elsewhere
   */
  async open(scope: WorkspaceScope, query: ContactListQuery): Promise<StreamableFile> {
    await contactRecords(scope).requireReferences(query);
    const fields = await scope.of(CustomField).find({});
    const keys = fields.map(({ key }) => key).sort();
    return new StreamableFile(Readable.from(csvOf(contactRecords(scope).batches(query, BATCH), keys)), {
      type: 'text/csv; charset=utf-8',
      disposition: 'attachment; filename="contacts.csv"',
    });
  }
}

async function* csvOf(batches: AsyncIterable<ContactRecord[]>, keys: readonly string[]): AsyncGenerator<string> {
  yield write([headerOf(keys)]);
  for await (const contacts of batches) yield write(contacts.map((contact) => cellsOf(contact, keys)));
}

/** A lone carriage return ends a record for many readers, ours too. */
const write = (rows: readonly string[][]): string => stringify([...rows], { quoted_match: /\r/ });
