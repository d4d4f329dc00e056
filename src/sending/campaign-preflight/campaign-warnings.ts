/** What may go wrong with a campaign, although it can start. */
export const PREFLIGHT_WARNINGS = [
  /**
   * Contacts have no value for a variable of a step that has no default, or for one of its `required_variables`. The count
   * is that of the contacts, among the first 20,000.
   */
  'missing_variables',
  /** Steps without `{{ unsubscribe_url }}` in a campaign without `unsubscribe_footer`. The count is that of the steps. */
  'no_unsubscribe_link',
  /**
   * Messages of steps have no postal address, which CAN-SPAM requires: the workspace has none, or the step has its own
   * unsubscribe link or the campaign no footer, and the text does not use `{{ sender_address }}`. The count is that of the steps.
   */
  'no_postal_address',
  /**
   * Texts have merge tags of other services, such as `*|FNAME|*` or `[First Name]`, which recipients would see. The message
   * names the steps by their position, and the tags. The count is that of the steps.
   */
  'foreign_merge_tags',
  /** The SPF, DKIM or DMARC records of accounts fail. The count is that of the accounts. */
  'domain_not_authenticated',
  /** Accounts of the campaign are switched off. The count is that of the accounts. */
  'account_disabled',
  /** No account can send a further message today. The count is that of the accounts. */
  'no_capacity',
  /**
   * Subjects are longer than 60 characters without their variables, and are cut off by mail programs. The count is that of the
   * subjects.
   */
  'long_subject',
  /**
   * Short texts with an image, such as that which tracks opens: spam filters take them for images without text. The count is
   * that of the steps.
   */
  'mostly_image',
  /** The tracking domain of the workspace is not verified, so links begin with the address of the service. */
  'unverified_tracking_domain',
] as const;
export type PreflightWarningCode = (typeof PREFLIGHT_WARNINGS)[number];

export interface PreflightWarning {
  readonly code: PreflightWarningCode;
  readonly message: string;
  readonly count: number;
}

/** The numbers that warnings are about. Those that are 0 give none. */
export type WarningCounts = Readonly<Record<PreflightWarningCode, number>>;

/** Most mail programs show about so many characters of a subject. */
export const MAX_SUBJECT_CHARACTERS = 60;

/**
 * With what is added to it, such a body becomes HTML of about 2,800 characters. Up to this length SpamAssassin gives HTML with
 * an image, whatever its size, 0.7 to 2.1 points of the 5 that make spam (HTML_IMAGE_ONLY_04 to HTML_IMAGE_ONLY_28).
 */
export const MAX_SHORT_BODY_LENGTH = 2_000;

const MESSAGES: Readonly<Record<PreflightWarningCode, string>> = {
  missing_variables: 'Some contacts have no value for a variable that has no default or is required.',
  no_unsubscribe_link: 'Some steps have no unsubscribe link in their text, and the campaign adds none.',
  no_postal_address:
    'Some steps show no postal address: set postal_address in the settings, and use {{ sender_address }} where there is no footer.',
  foreign_merge_tags: 'Some steps have merge tags of other services. Variables are written {{ first_name }}.',
  domain_not_authenticated: 'The domains of some email accounts are not authenticated.',
  account_disabled: 'Some email accounts of the campaign are switched off.',
  no_capacity: 'The email accounts of the campaign can send nothing more today.',
  long_subject: `Some subjects are longer than ${MAX_SUBJECT_CHARACTERS} characters.`,
  mostly_image:
    'Some steps are short and have an image, such as the one of track_opens: spam filters take them for images without text.',
  unverified_tracking_domain:
    'The tracking domain is not verified: it does not lead to this service, or its TXT record is missing.',
};

/** What a message says beside its sentence. */
export type WarningDetails = Readonly<Partial<Record<PreflightWarningCode, string>>>;

/** Returns the warnings for numbers that are not 0. */
export const warningsOf = (counts: WarningCounts, details: WarningDetails): PreflightWarning[] =>
  PREFLIGHT_WARNINGS.flatMap((code) => {
    const message = details[code] ? `${MESSAGES[code]} ${details[code]}` : MESSAGES[code];
    return counts[code] > 0 ? [{ code, message, count: counts[code] }] : [];
  });
