import { Readable } from 'node:stream';
import { Injectable, StreamableFile } from '@nestjs/common';
import { stringify } from 'csv-stringify/sync';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { ContactRecord } from '../contact.view.js';
import { contactRecords } from '../contacts.queries.js';
import { CustomField } from '../custom-fields/custom-field.entity.js';
import type { ContactListQuery } from '../dto/contact-list.query.js';
import { cellsOf, headerOf } from './export-row.js';

/** Contacts read by one statement. One contact may have a megabyte of custom fields. */
const BATCH = 1_000;

/** Exports contacts as a CSV file that the import accepts (API v1, "Contacts"). */
@Injectable()
export class ContactExport {
  /**
   * A CSV of all contacts that the list would show, in the same order. Reads only as fast as the client downloads.
   * @throws ValidationFailed if the query refers to a record of another workspace or one that does not exist
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

/** Quotes cells with a lone carriage return, because many CSV readers, ours too, take it for the end of a record. */
const write = (rows: readonly string[][]): string => stringify([...rows], { quoted_match: /\r/ });
