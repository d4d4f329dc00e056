import { CONTACT_STATUSES, DEFAULT_LIFECYCLE_STAGE, LIFECYCLE_STAGES, TRACKING_CONSENTS } from './contact.entity.js';

export interface ContactField {
  /** `reference` is the ID of another record. `derived` fields are computed from others and have no column. */
  readonly type: 'id' | 'text' | 'enum' | 'reference' | 'timestamp' | 'derived';
  /** The limit of a text, in Unicode code points. */
  readonly maxLength?: number;
  readonly values?: readonly string[];
  /** The value of a new contact whose input has none; without a default that is null. */
  readonly default?: string;
  /** Clients can set the field, in the body of create and update and by a column of an import. */
  readonly importable?: true;
  /** Lists of contacts can be sorted by the field. */
  readonly sortable?: true;
  /** The search of contacts looks in the field: it is part of the column `search_text`. */
  readonly searchable?: true;
  /** The type of the segment field of this name. Segments themselves declare those of IDs, such as `company_id`. */
  readonly segment?: 'text' | 'enum' | 'date';
  /**
   * The value tells of the person wherever it occurs, `alone` or `together` with the other ones: erasures look for it, and the
   * export of personal data shows it.
   */
  readonly identifies?: 'alone' | 'together';
  /** The value of the template variable of this name in a preview without a contact. */
  readonly sample: string | number;
}

const INPUT_TEXT = { type: 'text', importable: true, segment: 'text' } as const;
const DATE = { type: 'timestamp', segment: 'date' } as const;

/**
 * The only declaration of a contact's single-valued fields, in the order of the export. These derive from it: the
 * columns that create and update write, import and export, template variables and their samples, sorts, and the fields
 * of segments. Entity, DTO, view and example are written out, and `contact-fields.spec.ts` compares them with it.
 */
export const CONTACT_FIELDS = {
  id: { type: 'id', sample: 1 },
  email: {
    ...INPUT_TEXT,
    identifies: 'alone',
    maxLength: 254,
    sortable: true,
    searchable: true,
    sample: 'camille.martin@example.com',
  },
  external_id: { ...INPUT_TEXT, identifies: 'alone', maxLength: 255, sample: 'crm-4711' },
  first_name: {
    ...INPUT_TEXT,
    identifies: 'together',
    maxLength: 255,
    sortable: true,
    searchable: true,
    sample: 'Camille',
  },
  last_name: {
    ...INPUT_TEXT,
    identifies: 'together',
    maxLength: 255,
    sortable: true,
    searchable: true,
    sample: 'Martin',
  },
  full_name: { type: 'derived', identifies: 'alone', segment: 'text', searchable: true, sample: 'Camille Martin' },
  company: { ...INPUT_TEXT, maxLength: 255, searchable: true, sample: 'Acme' },
  company_id: { type: 'reference', importable: true, sample: 1 },
  phone: { ...INPUT_TEXT, identifies: 'alone', maxLength: 50, sample: '+1 202 555 0143' },
  job_title: { ...INPUT_TEXT, maxLength: 255, sortable: true, sample: 'Marketing Manager' },
  linkedin_url: {
    ...INPUT_TEXT,
    identifies: 'alone',
    maxLength: 500,
    sortable: true,
    sample: 'https://example.com/in/camille-martin',
  },
  timezone: { ...INPUT_TEXT, maxLength: 64, sample: 'Europe/Paris' },
  lifecycle_stage: {
    type: 'enum',
    values: LIFECYCLE_STAGES,
    default: DEFAULT_LIFECYCLE_STAGE,
    importable: true,
    sortable: true,
    segment: 'enum',
    sample: 'lead',
  },
  status: {
    type: 'enum',
    values: CONTACT_STATUSES,
    default: 'active',
    importable: true,
    sortable: true,
    segment: 'enum',
    sample: 'active',
  },
  tracking_consent: {
    type: 'enum',
    values: TRACKING_CONSENTS,
    default: 'unknown',
    importable: true,
    segment: 'enum',
    sample: 'granted',
  },
  tracking_consent_source: { type: 'text', importable: true, maxLength: 255, sample: 'Form on our website' },
  tracking_consent_at: { type: 'timestamp', sample: '2026-01-15T09:00:00.000Z' },
  subscribed_at: { ...DATE, sample: '2026-01-15T09:00:00.000Z' },
  unsubscribed_at: { ...DATE, importable: true, sample: '2026-06-15T09:00:00.000Z' },
  paused_until: { type: 'timestamp', sample: '2026-12-01T09:00:00.000Z' },
  created_at: { ...DATE, sortable: true, sample: '2026-01-15T09:00:00.000Z' },
  updated_at: { ...DATE, sortable: true, sample: '2026-01-15T09:00:00.000Z' },
} as const satisfies Readonly<Record<string, ContactField>>;

type Fields = typeof CONTACT_FIELDS;
export type ContactFieldName = keyof Fields;

/** The names of the fields whose declaration has these properties. */
type NamesWith<Properties> = {
  [Name in ContactFieldName]: Fields[Name] extends Properties ? Name : never;
}[ContactFieldName];

export type ImportField = NamesWith<{ importable: true }>;
export type ContactSort = NamesWith<{ sortable: true }>;
export type SearchableField = NamesWith<{ searchable: true }>;
export type TimestampField = NamesWith<{ type: 'timestamp' }>;
/** A field that segments test as a text. */
export type ContactTextField = NamesWith<{ segment: 'text' }>;
/** A field that segments test as a date. */
export type ContactDateField = NamesWith<{ segment: 'date' }>;
/** A field that segments test for one of its values. */
export type ContactEnumField = NamesWith<{ segment: 'enum' }>;

function namesWith<const Properties extends Partial<ContactField>>(
  properties: Properties,
): readonly NamesWith<Properties>[];
function namesWith(properties: Partial<ContactField>): readonly string[] {
  return Object.entries<ContactField>(CONTACT_FIELDS).flatMap(([name, field]) => {
    const declared = new Map<string, unknown>(Object.entries(field));
    return Object.entries(properties).every(([property, value]) => declared.get(property) === value) ? [name] : [];
  });
}

/** The declaration of a field, without the literal types of {@link CONTACT_FIELDS}. */
export const contactField = (name: ContactFieldName): ContactField => CONTACT_FIELDS[name];

export const CONTACT_FIELD_NAMES = namesWith({});

/** The fields that a client can set, in the body of create and update and by an import. */
export const IMPORT_FIELDS = namesWith({ importable: true });
export const SEARCHABLE_FIELDS = namesWith({ searchable: true });
/** The fields whose value alone tells of the person. */
export const IDENTIFYING_FIELDS = namesWith({ identifies: 'alone' });
/** Those of them that are columns. */
export const IDENTIFYING_COLUMNS = namesWith({ identifies: 'alone', importable: true });
/** The fields that together tell of the person. */
export const NAME_FIELDS = namesWith({ identifies: 'together' });
export const TIMESTAMP_FIELDS = namesWith({ type: 'timestamp' });

/** The times of a contact that has none. */
export function noTimes(): { readonly [Name in TimestampField]: null };
export function noTimes(): object {
  return Object.fromEntries(TIMESTAMP_FIELDS.map((name) => [name, null]));
}

/** The fields that segments test as a text. */
export const CONTACT_TEXT_FIELDS = namesWith({ segment: 'text' });
/** The fields that segments test as a date. */
export const CONTACT_DATE_FIELDS = namesWith({ segment: 'date' });
/** The fields that segments test for one of their values. */
export const CONTACT_ENUM_FIELDS = namesWith({ segment: 'enum' });

/** The columns of the export, without tags, lists and custom fields. The first ones are those that an import reads. */
export const EXPORT_FIELDS: readonly ContactFieldName[] = [
  ...IMPORT_FIELDS,
  ...CONTACT_FIELD_NAMES.filter((name) => {
    const { importable, type } = contactField(name);
    return !importable && type !== 'id' && type !== 'derived';
  }),
];

/** The fields that lists of contacts can be sorted by, the default first (API v1, "Segments"). */
export const CONTACT_SORTS: readonly ['created_at', ...ContactSort[]] = [
  'created_at',
  ...namesWith({ sortable: true }).filter((name) => name !== 'created_at'),
];

/** Those values of an input that a client can set as columns of a contact. */
export function importableValues<T extends { [Name in ImportField]?: unknown }>(input: T): Pick<T, ImportField>;
export function importableValues(input: { [Name in ImportField]?: unknown }): object {
  return Object.fromEntries(IMPORT_FIELDS.map((name) => [name, input[name]]));
}

/** The samples of all fields: the values of one fictitious contact. */
export function sampleFieldValues(): { readonly [Name in ContactFieldName]: Fields[Name]['sample'] };
export function sampleFieldValues(): object {
  return Object.fromEntries(CONTACT_FIELD_NAMES.map((name) => [name, contactField(name).sample]));
}
