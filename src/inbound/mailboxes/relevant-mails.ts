import { Injectable } from '@nestjs/common';
import { type HeaderSummary, MailParser } from '@outreach/mail-reading';
import type { ImapSession, MessageHeader } from '@outreach/mail-sessions';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { contactsAmong, DeliveryReports } from '../../sending/index.js';

/** What a returned message has in its header. */
const RETURNED_FIELD = 'Message-ID';
/** Returned messages are ours, which are small. */
const MAX_REPORT_BYTES = 262_144;

/** A mail of a mailbox, by its header. */
type ListedMail = HeaderSummary & Pick<MessageHeader, 'uid'>;

/**
 * Decides by their headers which mails of a mailbox could be about messages of the workspace. Only these are fetched, so
 * the private mail of the owner does not leave the mailbox.
 */
@Injectable()
export class RelevantMails {
  constructor(
    private readonly parser: MailParser,
    private readonly reports: DeliveryReports,
  ) {}

  /**
   * Returns the numbers of possible reports, of mails that refer to a message, and of mails of contacts. Of the others, the
   * server is asked which ones return a message: some mail servers write their notices like people.
   * @throws Busy if too many mails of the workspace wait to be parsed
   */
  async among(
    scope: WorkspaceScope,
    headers: readonly MessageHeader[],
    session: Pick<ImapSession, 'mentioning'>,
  ): Promise<ReadonlySet<number>> {
    const summaries = await this.parser.summarize(
      scope.workspace_id,
      headers.map(({ header }) => header),
    );
    const mails = headers.flatMap(({ uid }, index): ListedMail[] => {
      const summary = summaries[index];
      return summary ? [{ uid, ...summary }] : [];
    });
    const uncertain = mails.filter((mail) => !mail.is_certain);
    const known = await this.reports.find(
      scope,
      uncertain.flatMap(({ message_ids: ids }) => ids),
    );
    const contacts = await contactsAmong(
      scope,
      uncertain.flatMap(({ addresses }) => addresses),
    );
    const isRelevant = (mail: ListedMail): boolean =>
      mail.is_certain ||
      mail.message_ids.some((id) => known.has(id)) ||
      mail.addresses.some((address) => contacts.has(address));
    const relevant = new Set(mails.filter(isRelevant).map(({ uid }) => uid));
    const unmarked = mails.filter((mail) => mail.is_unmarked && !relevant.has(mail.uid)).map(({ uid }) => uid);
    const returning = unmarked.length === 0 ? [] : await session.mentioning(unmarked, RETURNED_FIELD, MAX_REPORT_BYTES);
    return new Set([...relevant, ...returning]);
  }
}
