import fc from 'fast-check';
import type { CustomFieldTypes, ShownCondition, ShownContact, ShownSegment } from '../support/segment-evaluator.js';
import { DATE_FIELDS, TEXT_FIELDS } from '../support/segment-fields.js';
import { CUSTOM_FIELDS, LIFECYCLE_STAGES, someDate, someNumber, someText } from './random-contacts.js';

/** The records of a workspace that conditions can refer to. */
export interface Workspace {
  /** The source of values, so that conditions are met. */
  readonly contacts: readonly ShownContact[];
  readonly company_ids: readonly number[];
  readonly tag_ids: readonly number[];
  readonly list_ids: readonly number[];
  /** The current custom fields. */
  readonly types: CustomFieldTypes;
}

const EMPTINESS = ['is_empty', 'is_not_empty'];
const EQUALITY = ['equals', 'not_equals', ...EMPTINESS];
const OF_TEXT = [...EQUALITY, 'contains', 'not_contains', 'starts_with', 'ends_with'];
const OF_ORDER = [...EQUALITY, 'greater_than', 'less_than'];

/** A field with its operators and values. */
export interface Kind {
  readonly field: string;
  readonly operators: readonly string[];
  readonly values: fc.Arbitrary<string>;
}

/** All fields that conditions of the workspace can use. */
export function kindsOf(workspace: Workspace): Kind[] {
  const valuesOf = (field: (typeof TEXT_FIELDS | typeof DATE_FIELDS)[number]) =>
    workspace.contacts.map((contact) => contact[field]);
  const ids = (of: readonly number[]) => fc.constantFrom(...of.map(String));
  return [
    ...TEXT_FIELDS.map((field) => ({ field, operators: OF_TEXT, values: textLike(valuesOf(field)) })),
    ...DATE_FIELDS.map((field) => ({ field, operators: OF_ORDER, values: timeLike(valuesOf(field)) })),
    { field: 'lifecycle_stage', operators: EQUALITY, values: fc.constantFrom(...LIFECYCLE_STAGES) },
    {
      field: 'status',
      operators: EQUALITY,
      values: fc.constantFrom('active', 'unsubscribed', 'bounced', 'complained'),
    },
    { field: 'company_id', operators: EQUALITY, values: ids(workspace.company_ids) },
    { field: 'tag_id', operators: EQUALITY, values: ids(workspace.tag_ids) },
    { field: 'list_id', operators: EQUALITY, values: ids(workspace.list_ids) },
    ...[...workspace.types.keys()].map((key) => customKind(workspace, key)),
  ];
}

function customKind({ contacts, types }: Workspace, key: string): Kind {
  const own = contacts.map((contact) => contact.custom_fields[key]);
  const field = `custom_fields.${key}`;
  switch (types.get(key)) {
    case 'number':
      return { field, operators: OF_ORDER, values: oneOf(own, someNumber.map(String)) };
    case 'boolean':
      return { field, operators: EQUALITY, values: fc.constantFrom('true', 'false') };
    case 'date':
      return { field, operators: OF_ORDER, values: oneOf(own, someDate) };
    default:
      return { field, operators: OF_TEXT, values: textLike(own) };
  }
}

/** A valid condition of this kind, without connector. */
export const conditionOf = ({ field, operators, values }: Kind): fc.Arbitrary<ShownCondition> =>
  fc.constantFrom(...operators).chain((operator): fc.Arbitrary<ShownCondition> => {
    if (EMPTINESS.includes(operator)) return fc.constant({ field, operator });
    return values.map((value) => ({ field, operator, value }));
  });

/** A valid condition of any kind. */
export const someCondition = (workspace: Workspace): fc.Arbitrary<ShownCondition> =>
  fc.oneof(
    ...kindsOf(workspace).map((kind) => {
      const isMembership = kind.field === 'tag_id' || kind.field === 'list_id';
      return { weight: isMembership ? 3 : 1, arbitrary: conditionOf(kind) };
    }),
  );

/** A condition that was valid once: its custom field, tag, list or company was deleted, or the key has another type now. */
export const someStaleCondition: fc.Arbitrary<ShownCondition> = fc
  .tuple(
    fc.constantFrom(...['gone', 'Note', ...Object.keys(CUSTOM_FIELDS)].map((key) => `custom_fields.${key}`)),
    fc.constantFrom('tag_id', 'list_id', 'company_id'),
    fc.constantFrom(...OF_TEXT, ...OF_ORDER),
    fc.oneof(someText, someNumber.map(String), someDate, fc.constantFrom('true', 'false')),
  )
  .map(([custom, reference, operator, value]) => {
    if (EMPTINESS.includes(operator)) return { field: custom, operator };
    return EQUALITY.includes(operator) && value.length > 12
      ? { field: reference, operator, value: '9007199254740991' }
      : { field: custom, operator, value };
  });

/** A random segment of 1 to 20 conditions, more often few than many. */
export const someSegment = (condition: fc.Arbitrary<ShownCondition>): fc.Arbitrary<ShownSegment> => {
  const connected = fc
    .tuple(condition, fc.constantFrom('and', 'or', null, undefined))
    .map(([one, connector]): ShownCondition => ({ ...one, ...(connector === undefined ? {} : { connector }) }));
  return fc.record({
    match_type: fc.constantFrom('all', 'any'),
    conditions: fc.oneof(
      fc.array(connected, { minLength: 1, maxLength: 1 }),
      fc.array(connected, { minLength: 1, maxLength: 4 }),
      fc.array(connected, { minLength: 1, maxLength: 20 }),
    ),
  });
};

const oneOf = (values: readonly unknown[], others: fc.Arbitrary<string>): fc.Arbitrary<string> => {
  const own = values.filter((value) => value !== null && value !== undefined && value !== '').map(String);
  if (own.length === 0) return others;
  return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...own) }, { weight: 1, arbitrary: others });
};

const CASES = [(text: string) => text, (text: string) => text.toLowerCase(), (text: string) => text.toUpperCase()];

/** A value of some contact, or a part of one, in its own, lower or upper case; or another text. */
const textLike = (values: readonly unknown[]): fc.Arbitrary<string> =>
  fc
    .tuple(
      oneOf(values, someText),
      fc.nat(60),
      fc.nat(60),
      fc.constantFrom('whole', 'start', 'end', 'part'),
      fc.constantFrom(...CASES),
    )
    .map(([text, one, other, extent, inCase]) => {
      const characters = [...text];
      const [from, to] = [one % characters.length, other % characters.length].sort((a, b) => a - b) as [number, number];
      const start = extent === 'part' || extent === 'end' ? from : 0;
      const end = extent === 'part' || extent === 'start' ? to + 1 : characters.length;
      return inCase(characters.slice(start, end).join(''));
    })
    .filter((value) => value.trim() !== '' && [...value].length <= 500);

/** An instant of some contact, the millisecond before or after it, or its day. */
const timeLike = (values: readonly unknown[]): fc.Arbitrary<string> =>
  fc
    .tuple(oneOf(values, someDate), fc.constantFrom('day', -1, 0, 0, 1))
    .map(([text, beside]) => {
      const instant = Date.parse(text);
      if (Number.isNaN(instant)) return '2026-03-28';
      if (beside === 'day') return new Date(instant).toISOString().slice(0, 10);
      return beside === 0 ? text : new Date(instant + Number(beside)).toISOString();
    })
    .filter((text) => /^(?!0000)\d{4}-/.test(text));
