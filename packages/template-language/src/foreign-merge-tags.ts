/** Names that stand for a person in the tags of other services, without spaces, hyphens and accents. */
const NAMES =
  'name firstname lastname fullname fname lname surname contactname yourname company companyname jobtitle emailaddress ' +
  'prenom nom entreprise societe vorname nachname firma nombre apellido empresa nome cognome azienda voornaam achternaam bedrijf';

/** Names that are in brackets as texts of links or labels too, such as `[Website]`. */
const LABELS =
  'email title position phone city country website domain industry linkedin linkedinurl signature ' +
  'sendername senderfirstname unsubscribe unsubscribelink unsubscribeurl';

const PERSONAL_NAMES = new Set(NAMES.split(' '));
const ALL_NAMES = new Set([...PERSONAL_NAMES, ...LABELS.split(' ')]);

/** What is before a name, such as `Contact.`, and after it, such as a default. */
const PREFIX = /^[!$]?(?:contact|lead|person|prospect|recipient|subscriber|user)[\s._:]+/i;
const DEFAULT = /[|:,].*$/s;
const NOT_A_LETTER = /&nbsp;|\P{L}/gu;

/** A notation, whose first group is the name, and whether a name makes a tag of it. */
interface Notation {
  readonly pattern: RegExp;
  readonly isTag: (name: string) => boolean;
}

const isNamedIn = (names: ReadonlySet<string>) => (name: string) =>
  names.has(name.replace(PREFIX, '').replace(DEFAULT, '').normalize('NFD').replace(NOT_A_LETTER, '').toLowerCase());
const isAnyName = (): boolean => true;
const isNamed = isNamedIn(ALL_NAMES);

/**
 * How other services write merge tags. Each pattern reads at most 60 characters after an opening that it does not contain,
 * so the time is linear. What also occurs in ordinary text, such as brackets, counts with known names only.
 */
const NOTATIONS: readonly Notation[] = [
  // Mailchimp
  { pattern: /(?<!\*)\*\|([^*|<>]{1,60})\|\*/g, isTag: isAnyName },
  // ActiveCampaign, Brevo, Mailgun, Salesforce; what follows a `%` of a percent-encoded URL are digits of it.
  { pattern: /(?<![\w%])%{1,2}([A-Za-z][\w.-]{2,60})%{1,2}(?![\w%])/g, isTag: isAnyName },
  { pattern: /(?<![\w%])%{1,2}([A-Za-z][\w.-]{0,30} [\w.-]{1,30})%{1,2}(?![\w%])/g, isTag: isNamed },
  // GetResponse, Mailjet, Constant Contact
  { pattern: /\[\[([^[\]<>]{1,60})\]\]/g, isTag: isAnyName },
  // Campaign Monitor, phpList, drafts; no selector of CSS, and no link of Markdown
  { pattern: /(?<![\w*.#\]:[])\[([^[\]<>]{1,60})\](?![\](]|\s*\{)/g, isTag: isNamedIn(PERSONAL_NAMES) },
  // GMass, Smartlead, MailerLite, Salesforce
  { pattern: /(?<!\{)[$#]?\{([^{}<>"'][^{}<>]{0,59})\}(?!\})/g, isTag: isNamed },
  // Yet Another Mail Merge, Word
  { pattern: /(?:<<|&lt;&lt;)([\p{L}\w][^<>&]{0,58}[\p{L}\w])(?:>>|&gt;&gt;)/gu, isTag: isAnyName },
  { pattern: /«([^«»<>]{1,60})»/g, isTag: isNamed },
  // Keap, and older services
  { pattern: /~([^~<>\s]{1,60})~/g, isTag: isNamed },
  { pattern: /(?<![\w#])#{1,2}([^#<>]{1,60})#{1,2}(?![\w#])/g, isTag: isNamed },
];

/** Returns the merge tags of other services in a text, each once. Recipients would see them as they are. */
export const foreignMergeTags = (text: string): string[] => [
  ...new Set(
    NOTATIONS.flatMap(({ pattern, isTag }) =>
      [...text.matchAll(pattern)].flatMap(([tag, name = '']) => (isTag(name.trim()) ? [tag] : [])),
    ),
  ),
];
