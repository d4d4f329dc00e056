/*
 * A reference implementation of API v1, "Segment": it evaluates one contact at a time, in memory. It shares no code with
 * the service, so that tests can compare the two.
 */

/** A contact in responses of the API, with the fields that conditions can use. */
export interface ShownContact {
  readonly id: number;
  readonly email: string;
  readonly external_id: string | null;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly full_name: string | null;
  readonly company: string | null;
  readonly company_id: number | null;
  readonly phone: string | null;
  readonly job_title: string | null;
  readonly linkedin_url: string | null;
  readonly timezone: string | null;
  readonly lifecycle_stage: string;
  readonly status: string;
  readonly custom_fields: Readonly<Record<string, string | number | boolean>>;
  readonly subscribed_at: string | null;
  readonly unsubscribed_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly tags: readonly { readonly id: number }[];
  readonly lists: readonly { readonly id: number }[];
}

/** A condition in requests and responses of the API. */
export interface ShownCondition {
  readonly field: string;
  readonly operator: string;
  readonly value?: string | null;
  readonly connector?: 'and' | 'or' | null;
}

export interface ShownSegment {
  readonly match_type: 'all' | 'any';
  readonly conditions: readonly ShownCondition[];
}

/** The type of each custom field of the workspace by its key: `text`, `number`, `boolean` or `date`. */
export type CustomFieldTypes = ReadonlyMap<string, string>;

/** Returns whether the contact is in the segment. */
export function isInSegment(contact: ShownContact, segment: ShownSegment, types: CustomFieldTypes): boolean {
  let someAlternative = false;
  let thisAlternative = true;
  for (const [index, condition] of segment.conditions.entries()) {
    const connector = condition.connector ?? (segment.match_type === 'all' ? 'and' : 'or');
    const isMet = meets(contact, condition, types);
    if (index > 0 && connector === 'or') {
      someAlternative ||= thisAlternative;
      thisAlternative = isMet;
    } else {
      thisAlternative &&= isMet;
    }
  }
  return someAlternative || thisAlternative;
}

/** Returns whether the contact meets one condition. */
export function meets(contact: ShownContact, condition: ShownCondition, types: CustomFieldTypes): boolean {
  const { operator } = condition;
  switch (operator) {
    case 'is_empty':
      return isEmpty(valueOf(contact, condition.field));
    case 'is_not_empty':
      return !isEmpty(valueOf(contact, condition.field));
    case 'not_equals':
      return !meets(contact, { ...condition, operator: 'equals' }, types);
    case 'not_contains':
      return !meets(contact, { ...condition, operator: 'contains' }, types);
    default:
      return compares(contact, condition, types);
  }
}

type Value = string | number | boolean | null | readonly number[];

function valueOf(contact: ShownContact, field: string): Value {
  if (field === 'tag_id') return contact.tags.map(({ id }) => id);
  if (field === 'list_id') return contact.lists.map(({ id }) => id);
  if (field.startsWith('custom_fields.')) return contact.custom_fields[field.slice('custom_fields.'.length)] ?? null;
  return (contact as unknown as Record<string, string | number | null>)[field] ?? null;
}

const isEmpty = (value: Value): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

const DATES = ['subscribed_at', 'unsubscribed_at', 'created_at', 'updated_at'];

/** Evaluates an operator that compares a value and is not a negation. Empty values meet none of them. */
function compares(contact: ShownContact, condition: ShownCondition, types: CustomFieldTypes): boolean {
  const { field, operator } = condition;
  const own = valueOf(contact, field);
  const wanted = condition.value ?? '';
  if (isEmpty(own)) return false;
  if (Array.isArray(own)) return own.includes(Number(wanted));
  if (field === 'company_id') return own === Number(wanted);
  if (DATES.includes(field)) return comparesTime(String(own), operator, wanted);
  if (field === 'email') return comparesText(String(own), operator, wanted.toLowerCase());
  if (!field.startsWith('custom_fields.')) return comparesText(String(own), operator, wanted);
  return comparesCustom(own, types.get(field.slice('custom_fields.'.length)), { operator, wanted });
}

/** False if the custom field was deleted or the condition does not match its current type. */
function comparesCustom(own: Value, type: string | undefined, { operator, wanted }: Comparison): boolean {
  switch (type) {
    case 'text':
      return comparesText(String(own), operator, wanted);
    case 'boolean':
      return operator === 'equals' && String(own) === wanted;
    case 'number':
      return inOrder(operator, Number(own), Number(wanted));
    case 'date':
      return comparesTime(String(own), operator, wanted);
    default:
      return false;
  }
}

interface Comparison {
  readonly operator: string;
  readonly wanted: string;
}

/** `equals` is case-sensitive, all other operators are not. */
function comparesText(own: string, operator: string, wanted: string): boolean {
  if (operator === 'equals') return own === wanted;
  const [text, part] = [own.toLowerCase(), wanted.toLowerCase()];
  if (operator === 'contains') return text.includes(part);
  if (operator === 'starts_with') return text.startsWith(part);
  return operator === 'ends_with' && text.endsWith(part);
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** A condition value without a time means the whole day in UTC. */
function comparesTime(own: string, operator: string, wanted: string): boolean {
  const from = millisecondsOf(wanted);
  const last = from + (wanted.includes('T') ? 0 : DAY_MS - 1);
  const instant = millisecondsOf(own);
  if (Number.isNaN(from) || Number.isNaN(instant)) return false;
  return inOrder(operator, instant < from ? -1 : instant > last ? 1 : 0, 0);
}

/** Milliseconds since 1970. A date without a time is midnight UTC; digits after the millisecond are ignored. */
const millisecondsOf = (text: string): number =>
  Date.parse(text.includes('T') ? text.replace(/(\.\d{3})\d+/, '$1') : `${text}T00:00:00.000Z`);

function inOrder(operator: string, one: number, other: number): boolean {
  if (operator === 'equals') return one === other;
  if (operator === 'greater_than') return one > other;
  return operator === 'less_than' && one < other;
}
