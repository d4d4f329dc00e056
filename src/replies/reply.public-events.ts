import { Injectable } from '@nestjs/common';
import { is, view } from '@outreach/http-api/responses';
import { sql } from '../platform/database/index.js';
import { PublicEvent } from '../platform/events/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { EXAMPLE_EMAIL, emailEventShape, type EmailEventRow } from '../sending/index.js';
import type { RepliesEvent } from './replies.events.js';
import { Reply } from './reply.entity.js';

const MAX_TEXT_LENGTH = 2_000;

type RepliedRow = EmailEventRow & { readonly reply: Pick<Reply, 'id' | 'classification' | 'is_automatic' | 'text'> };

/** An event about an email, with the reply to it. */
const emailRepliedView = view(
  'EmailReplied',
  {
    ...emailEventShape,
    /** The reply that was received. */
    reply: is.shape('ReceivedReply', {
      /** The ID of the reply, for `GET /v1/replies/{id}`. */
      id: is.id,
      /** `reply` of a person, `out_of_office` or `automatic`. */
      classification: is.string,
      /** Whether a machine wrote it. */
      is_automatic: is.boolean,
      /** The first 2,000 characters of what the sender wrote, without the quoted message. */
      text: is.string,
    }),
  },
  ({ reply }: RepliedRow) => ({
    reply: {
      id: reply.id,
      classification: reply.classification,
      is_automatic: reply.is_automatic,
      text: [...reply.text].slice(0, MAX_TEXT_LENGTH).join(''),
    },
  }),
);

const EXAMPLE: RepliedRow = {
  ...EXAMPLE_EMAIL,
  reply: {
    id: 918,
    classification: 'reply',
    is_automatic: false,
    text: 'Hi Tom,\n\nThursday at ten works for me.\n\nClaire',
  },
};

interface AnsweredMessage {
  readonly sent_subject: string | null;
  readonly step_id: number | null;
  readonly variant_id: number | null;
  readonly email: string;
}

/** The events about replies that webhooks receive. */
@Injectable()
export class ReplyPublicEvents {
  @PublicEvent('email.replied', {
    when: 'A reply to an email is received, of a person or of a machine. Each reply is one event.',
    view: emailRepliedView,
    example: EXAMPLE,
  })
  async *replied(scope: WorkspaceScope, { replies }: RepliesEvent): AsyncGenerator<readonly RepliedRow[]> {
    const extras = sql`, ${ofMessage(scope, 'subject')} AS sent_subject, ${ofMessage(scope, 'step_id')} AS step_id,
      ${ofMessage(scope, 'variant_id')} AS variant_id,
      (SELECT contact.email FROM contacts contact
       WHERE contact.workspace_id = ${scope} AND contact.id = record.contact_id) AS email`;
    for await (const rows of scope.of(Reply).withColumns<AnsweredMessage>(extras).iterate(replies))
      yield rows.map(rowOf);
  }
}

const ofMessage = (scope: WorkspaceScope, column: 'subject' | 'step_id' | 'variant_id') =>
  sql`(SELECT message.${sql.ref(column)} FROM all_messages message
       WHERE message.workspace_id = ${scope} AND message.id = record.answered_id)`;

const rowOf = ({ sent_subject: subject, ...reply }: Reply & AnsweredMessage): RepliedRow => ({
  ...reply,
  subject,
  occurred_at: reply.received_at,
  reply,
});
