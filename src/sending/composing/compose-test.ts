import { randomUUID } from 'node:crypto';
import { onOneLine, parseTemplate, type TemplateBody } from '@outreach/template-language';
import type { CampaignLanguage } from '../../campaigns/index.js';
import type { ContactVariablesRow } from '../../contacts/index.js';
import type { ComposedMail } from '../../email-accounts/index.js';
import {
  type BrandValues,
  recipientValues,
  SAMPLE_MESSAGE,
  sampleTemplateValues,
  valueReader,
} from '../../templates/index.js';
import type { Sender } from './compose.js';
import { footerLanguage, footerValues } from './footer.js';

export interface TestSource {
  readonly to: string;
  readonly subject: string;
  readonly body: string;
  readonly unsubscribe_footer: boolean;
  readonly language: CampaignLanguage;
  /** Null: the variables get sample values. */
  readonly contact: (ContactVariablesRow & { readonly id: number }) | null;
}

/** The sender of a test, and what its workspace says about itself. */
export interface TestSender extends Sender {
  /** The empty string: a test with samples has a sample. */
  readonly postal_address: string;
  readonly brand: BrandValues;
}

/**
 * Renders a step as its recipients would see it, for one address. It belongs to no enrollment, so it has no tracked links,
 * no pixel and no headers to unsubscribe; the unsubscribe link is a sample. No report is matched with its Message-ID.
 * @throws RenderedTooLong; TemplateTooLarge for a step that was stored before there were limits
 */
export function* composeTest(
  source: TestSource,
  body: TemplateBody,
  sender: TestSender,
): Generator<undefined, ComposedMail> {
  const subject = parseTemplate(source.subject);
  const message = {
    sender: { name: sender.name, email: sender.email },
    unsubscribe_url: SAMPLE_MESSAGE.unsubscribe_url,
    sender_address: sender.postal_address || (source.contact ? '' : SAMPLE_MESSAGE.sender_address),
    brand: sender.brand,
  };
  const { contact, language } = source;
  const values = valueReader({
    ...(contact ? recipientValues(contact, message) : { ...sampleTemplateValues([subject, body.html]), ...message }),
    ...footerValues(contact ? footerLanguage(contact, language) : language, message),
  });
  return {
    from: { name: onOneLine(sender.name), email: sender.email },
    to: source.to,
    shown_contact_id: source.contact?.id,
    message_id: `${randomUUID()}@${sender.email.slice(sender.email.lastIndexOf('@') + 1)}`,
    subject: onOneLine(subject.renderSubject(values)),
    ...(yield* body.render(values)),
    headers: {},
  };
}
