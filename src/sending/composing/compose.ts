import { threadHeaders, unsubscribeHeaders } from '@outreach/mail-writing';
import {
  BodyCache,
  type HtmlAdditions,
  onOneLine,
  type TemplateBody,
  TemplateCache,
} from '@outreach/template-language';
import type { CampaignLanguage } from '../../campaigns/index.js';
import type { ContactVariablesRow } from '../../contacts/index.js';
import type { ComposedMail } from '../../email-accounts/index.js';
import { type BrandValues, recipientValues, valueReader } from '../../templates/index.js';
import { FOOTER, footerLanguage, footerValues } from './footer.js';
import { feedbackHeader } from './feedback-header.js';

/** What a mail is composed of: a step or content of its own, a contact and the options of the campaign. */
export interface MailSource {
  readonly id: number;
  readonly campaign_id: number;
  readonly enrollment_id: number;
  /** Null for a message with content of its own. */
  readonly step_id: number | null;
  /** Whether its step is not the first one. */
  readonly is_follow_up: boolean;
  /** Where a message with content of its own goes: it is sent as it is. Null for the message of a step. */
  readonly to_address: string | null;
  /** From an earlier attempt; null before the first. */
  readonly message_id: string | null;
  readonly contact: ContactVariablesRow;
  readonly subject: string;
  readonly body: string;
  readonly unsubscribe_footer: boolean;
  /** That of the footer, if the contact has none. */
  readonly language: CampaignLanguage;
  readonly track_opens: boolean;
  readonly track_clicks: boolean;
  /** Whether opens and clicks of the contact may be measured. */
  readonly may_track: boolean;
  /** Message-IDs of the thread to which it belongs, oldest first; empty outside a thread. */
  readonly thread: readonly string[];
}

export type Sender = ComposedMail['from'];

/** The values of one message that do not come from its step or its contact. */
export interface MailContext {
  readonly workspace_id: number;
  readonly sender: Sender;
  readonly message_id: string;
  readonly unsubscribe_url: string;
  /** The address of a mail that unsubscribes, if mails to the sender are read. */
  readonly unsubscribe_mailto?: string | undefined;
  readonly sender_address: string;
  readonly brand: BrandValues;
  /** Rewrites links and adds an image in the HTML. The plain text has the addresses that the author wrote. */
  readonly tracking?: HtmlAdditions;
}

const subjects = new TemplateCache();
const bodies = new BodyCache();
const bodiesWithFooter = new BodyCache(FOOTER);

/**
 * Returns the body of a step, converted to text and split at its links, without occupying the event loop for long.
 * @throws TemplateTooComplex; TemplateTooLarge for a step that was stored before there were limits
 */
export function loadBody(
  source: Pick<MailSource, 'body' | 'unsubscribe_footer'>,
  owner: number,
): Promise<TemplateBody> {
  return (source.unsubscribe_footer ? bodiesWithFooter : bodies).load(source.body, owner);
}

/**
 * Renders a step of a campaign for one contact: subject, HTML, plain text and the headers of RFC 2369, 5322 and 8058
 * and of Google's feedback loop.
 * The rendering of a large body can pause at each `yield`.
 * @param body of the step, see {@link loadBody}
 * @throws RenderedTooLong; TemplateTooLarge for a step that was stored before there were limits
 */
export function* compose(
  source: MailSource,
  body: TemplateBody,
  context: MailContext,
): Generator<undefined, ComposedMail> {
  const { workspace_id: workspaceId, sender } = context;
  const footer = footerValues(footerLanguage(source.contact, source.language), context);
  const values = valueReader({ ...recipientValues(source.contact, context), ...footer });
  return {
    from: { name: onOneLine(sender.name), email: sender.email },
    to: source.contact.email,
    message_id: context.message_id,
    // Subjects and names that were stored before line breaks were refused may have some.
    subject: onOneLine(subjects.parse(source.subject, workspaceId).renderSubject(values)),
    ...(yield* body.render(values, context.tracking)),
    headers: {
      ...unsubscribeHeaders(context.unsubscribe_url, context.unsubscribe_mailto),
      ...threadHeaders(source.thread),
      ...feedbackHeader({ ...source, workspace_id: workspaceId }),
    },
  };
}
