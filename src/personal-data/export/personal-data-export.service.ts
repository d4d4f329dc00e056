import { Injectable, type StreamableFile } from '@nestjs/common';
import { BackgroundSteps } from '@outreach/concurrency';
import type { View } from '@outreach/http-api/responses';
import { activityView, wholeActivity } from '../../activity/index.js';
import { Blacklist, blacklistEntryView } from '../../blacklist/index.js';
import { Enrollment, enrollmentProgressView } from '../../campaigns/index.js';
import {
  companyView,
  type ContactRecord,
  contactRecords,
  contactView,
  countedCompanies,
  findFormerEmails,
  IDENTIFYING_COLUMNS,
  listView,
  NAME_FIELDS,
  tagView,
} from '../../contacts/index.js';
import type { Sql } from '../../platform/database/index.js';
import { loadedExtensions } from '../../platform/extensions/index.js';
import { StreamedFiles } from '../../platform/streams/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { Reply, replyView } from '../../replies/index.js';
import { messagesWithContent, messageWithContentView } from '../../sending/index.js';
import { consentChanges, enrollmentIds, messageIds, replyIds } from './personal-data.queries.js';
import { consentChangeView } from './personal-data.view.js';

/** Rows of one statement. A message or a reply may have long texts. */
const BATCH = 500;
const BATCH_OF_TEXTS = 50;

/** Writes everything that a workspace holds on a contact as one JSON document, with one batch of rows in memory. */
@Injectable()
export class PersonalDataExport {
  constructor(
    private readonly files: StreamedFiles,
    private readonly steps: BackgroundSteps,
    private readonly blacklist: Blacklist,
  ) {}

  /** @throws Busy if too many files are open; NotFound if the contact was deleted in the meantime */
  open(scope: WorkspaceScope, contactId: number): Promise<StreamableFile> {
    const file = { fileName: `contact-${contactId}.json`, type: 'application/json; charset=utf-8' };
    return this.files.openSnapshot(scope, file, (snapshot) => this.document(snapshot, contactId));
  }

  private async *document(scope: WorkspaceScope, id: number): AsyncGenerator<string> {
    const contact = await contactRecords(scope).get(id);
    yield `{${await recordMembers(scope, contact)}`;
    const enrollments = (ids: readonly number[]) => scope.of(Enrollment).findByIds(ids);
    yield* this.array(
      'enrollments',
      enrollmentProgressView,
      scope,
      byIds(scope, enrollmentIds(scope, id), enrollments),
    );
    const messages = (ids: readonly number[]) => messagesWithContent(scope).findByIds(ids);
    yield* this.array('messages', messageWithContentView, scope, byIds(scope, messageIds(scope, id), messages));
    yield* this.array('activity', activityView, scope, scope.batches(wholeActivity(scope, id), BATCH));
    const replies = (ids: readonly number[]) => scope.of(Reply).findByIds(ids);
    yield* this.array('replies', replyView, scope, byIds(scope, replyIds(scope, id), replies));
    yield* this.array('consents', consentChangeView, scope, scope.batches(consentChanges(scope, id), BATCH));
    const entry = await this.blacklist.findOwn(scope, contact.email);
    yield `,${member('blacklist_entry', entry ? blacklistEntryView.toJson(entry) : null)}`;
    const formerEmails = await findFormerEmails(scope, id);
    if (formerEmails.length > 0) yield `,${member('former_emails', formerEmails)}`;
    for (const { name, personalData } of loadedExtensions()) {
      if (personalData)
        yield* this.array(name, personalData.view, scope, scope.batches(personalData.rows(scope, id), BATCH));
    }
    yield '}';
  }

  /** Yields a member of the document whose value is an array. */
  private async *array<Row>(
    name: string,
    view: View<Row>,
    scope: WorkspaceScope,
    batches: AsyncIterable<readonly Row[]>,
  ): AsyncGenerator<string> {
    const toText = (row: Row): string => JSON.stringify(view.toJson(row));
    let before = `,${JSON.stringify(name)}:[`;
    for await (const batch of batches) {
      for await (const texts of this.steps.map(scope.workspace_id, batch, toText)) {
        yield before + texts.join(',');
        before = ',';
      }
    }
    yield before === ',' ? ']' : `${before}]`;
  }
}

const member = (name: string, value: object | null): string => `${JSON.stringify(name)}:${JSON.stringify(value)}`;

/** What identifies the person, as the fields of contacts declare it for erasures, too. */
const identityOf = (contact: ContactRecord) =>
  Object.fromEntries([...IDENTIFYING_COLUMNS, ...NAME_FIELDS].map((name) => [name, contact[name]]));

/** The members of the document that are read at once. */
async function recordMembers(scope: WorkspaceScope, contact: ContactRecord): Promise<string> {
  const [company] = contact.company_id === null ? [] : await countedCompanies(scope).find({ id: contact.company_id });
  return [
    member('contact', { ...contactView.toJson(contact), ...identityOf(contact) }),
    member(
      'lists',
      contact.lists.map((list) => listView.toJson(list)),
    ),
    member(
      'tags',
      contact.tags.map((tag) => tagView.toJson(tag)),
    ),
    member('company', company ? companyView.toJson(company) : null),
  ].join(',');
}

/** Yields the records with the IDs that a statement selects, in batches, in descending order of the IDs. */
async function* byIds<Row>(
  scope: WorkspaceScope,
  ids: Sql,
  read: (ids: readonly number[]) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for await (const batch of scope.batches<{ id: number }>(ids, BATCH_OF_TEXTS)) {
    const records = await read(batch.map(({ id }) => id));
    yield records.reverse();
  }
}
