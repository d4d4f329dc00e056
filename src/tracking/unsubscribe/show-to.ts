import { messagePageHeaders } from '@outreach/html-pages';
import type { Response } from 'express';
import { CAMPAIGN_LANGUAGES, type CampaignLanguage } from '../../campaigns/index.js';
import type { UnsubscribedRecipient } from '../../sending/index.js';

/**
 * Shows a page in the language of the contact, else in the one that the browser prefers, else in that of the campaign. It
 * may load the logo of the sender if there is one.
 */
export function showTo(
  response: Response,
  page: (language: CampaignLanguage, recipient: UnsubscribedRecipient) => string,
  preferred: CampaignLanguage | undefined,
  recipient: UnsubscribedRecipient,
): string {
  if (recipient.logo_url !== null) response.set(messagePageHeaders({ logoUrl: recipient.logo_url }));
  const language = recipient.contact_language ?? preferred ?? recipient.campaign_language ?? CAMPAIGN_LANGUAGES[0];
  return page(language, recipient);
}
