import type { Footer } from '@outreach/template-language';
import { CAMPAIGN_LANGUAGES, type CampaignLanguage } from '../../campaigns/index.js';
import type { ContactVariablesRow } from '../../contacts/index.js';
import type { BrandValues, TemplateValues } from '../../templates/index.js';

interface FooterTexts {
  /** Followed by who writes. */
  readonly sentBy: string;
  readonly unsubscribe: string;
}

const TEXTS: Readonly<Record<CampaignLanguage, FooterTexts>> = {
  en: { sentBy: 'Sent by', unsubscribe: 'Unsubscribe' },
  fr: { sentBy: 'Envoyé par', unsubscribe: 'Se désinscrire' },
  de: { sentBy: 'Gesendet von', unsubscribe: 'Abmelden' },
  es: { sentBy: 'Enviado por', unsubscribe: 'Darse de baja' },
  it: { sentBy: 'Inviato da', unsubscribe: 'Annulla l’iscrizione' },
  nl: { sentBy: 'Verzonden door', unsubscribe: 'Afmelden' },
  pt: { sentBy: 'Enviado por', unsubscribe: 'Cancelar inscrição' },
};

const STYLE = 'font-size:12px;color:#767676';

/**
 * Who writes, the postal address of the workspace and an unsubscribe link (CAN-SPAM, 15 U.S.C. 7704 (a)(5)), for bodies that do
 * not use `{{ unsubscribe_url }}` themselves. Needs {@link footerValues}.
 */
export const FOOTER: Footer = {
  lines: [
    { html: `<div style="margin-top:24px;${STYLE}">{{ footer.sender }}</div>` },
    { html: `<div style="${STYLE}">{{ sender_address }}</div>`, unlessVariable: 'sender_address' },
    {
      html: `<div style="${STYLE}"><a href="{{ unsubscribe_url }}" style="color:#767676">{{ footer.unsubscribe }}</a></div>`,
    },
  ],
  unlessVariable: 'unsubscribe_url',
};

/** Who sends a message. */
interface FooterSender {
  readonly sender: { readonly name: string; readonly email: string };
  readonly brand: BrandValues;
}

/** Returns the variables of {@link FOOTER} that bodies do not have. */
export function footerValues(language: CampaignLanguage, { sender, brand }: FooterSender): TemplateValues {
  const { sentBy, unsubscribe } = TEXTS[language];
  const names = new Set([sender.name || sender.email, brand['name'] ?? '']);
  return { 'footer.sender': `${sentBy} ${[...names].filter(Boolean).join(', ')}`, 'footer.unsubscribe': unsubscribe };
}

/** The languages by their codes, and by their names in each of them, in lower case. */
const LANGUAGES: ReadonlyMap<string, CampaignLanguage> = new Map(
  CAMPAIGN_LANGUAGES.flatMap((language) => [
    [language, language] as const,
    ...CAMPAIGN_LANGUAGES.map((of) => [nameOf(language, of), language] as const),
  ]),
);

function nameOf(language: CampaignLanguage, of: CampaignLanguage): string {
  return new Intl.DisplayNames([of], { type: 'language' }).of(language)?.toLowerCase() ?? language;
}

/** Returns the language of a footer: that of the contact, else that of the campaign. */
export const footerLanguage = (
  { custom_fields: fields }: Pick<ContactVariablesRow, 'custom_fields'>,
  ofCampaign: CampaignLanguage,
): CampaignLanguage => contactLanguage(fields) ?? ofCampaign;

/**
 * Returns the language of a contact's custom field `language` or `locale`, which may be a language tag (RFC 5646) such as `fr` or
 * `pt-BR`, or a name such as `German`, if there are texts for recipients in it.
 */
export const contactLanguage = (fields: ContactVariablesRow['custom_fields']): CampaignLanguage | undefined =>
  languageOf(fields['language']) ?? languageOf(fields['locale']);

function languageOf(value: unknown): CampaignLanguage | undefined {
  if (typeof value !== 'string') return undefined;
  const [word = ''] = /\p{L}+/u.exec(value.normalize('NFC')) ?? [];
  return LANGUAGES.get(word.toLowerCase());
}
