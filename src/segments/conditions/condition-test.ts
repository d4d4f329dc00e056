import {
  contactText,
  contactTextMatches,
  customText,
  customTextMatches,
  CONTACT_STATUSES,
  type ContactEnumField,
  type TextComparison,
  type TextMatch,
} from '../../contacts/index.js';
import { type Sql, sql } from '../../platform/database/index.js';
import { type Condition, type Operator, takesValue } from './condition.js';
import { type CustomFieldsByKey, type Field, findField, operatorsOf, unknownFieldMessage } from './fields.js';
import { booleanOf, idOf, numberOf, type Period, periodOf } from './values.js';

/** A condition as a test of a contact. A result of NULL counts as false. */
export interface ConditionTest {
  /** The SQL of the test; the contact is `record`. */
  readonly predicate: Predicate;
  /** If true, a contact meets the condition when `predicate` is false or NULL. */
  readonly isNegated: boolean;
}

/** A test of the contact's own row, or of rows of another table that refer to the contact. */
export type Predicate = OwnTest | { readonly membership: Membership };

export interface OwnTest {
  readonly own: Sql;
  /** The same without the part that uses an index; cheaper if most contacts are candidates. */
  readonly exact?: Sql;
  /** The negation in a form that can use an index; without it `own` is negated. */
  readonly negation?: Sql;
}

/** The rows of another table that make the test true for their contacts. */
export interface Membership {
  readonly table: 'tag_members' | 'list_members' | 'ordered_values';
  /** SQL condition on the rows of the table, named `member`. */
  readonly where: Sql;
  /** The tag or list, if all of its rows are meant. Their number is cached. */
  readonly owner?: number;
}

/** Why a condition is invalid. */
export interface ConditionError {
  readonly part: 'field' | 'operator' | 'value';
  readonly message: string;
}

/** A condition of a request, without the parts that validation has refused. */
export type ConditionInput = { readonly [Part in 'field' | 'operator' | 'value']?: Condition[Part] | undefined };

/**
 * Returns the errors of a condition. Operator and value are judged only if the field exists, the value also if the
 * operator is wrong. It does not check whether referenced records exist.
 * @param customKeys the keys of all custom fields, for the message about one that does not exist
 */
export function conditionErrorsOf(
  { field: name, operator, value }: ConditionInput,
  customFields: CustomFieldsByKey,
  customKeys: readonly string[] = [],
): ConditionError[] {
  if (name === undefined) return [];
  const field = findField(name, customFields);
  if (!field) return [{ part: 'field', message: unknownFieldMessage(name, customKeys) }];
  const isFitting = operator === undefined || operatorsOf(field).includes(operator);
  const message = valueErrorOf(field, operator, value ?? null);
  return [
    ...(isFitting ? [] : [{ part: 'operator' as const, message: operatorMessage(name, operator, operatorsOf(field)) }]),
    ...(message === undefined ? [] : [{ part: 'value' as const, message }]),
  ];
}

const operatorMessage = (name: string, operator: Operator | undefined, fitting: readonly Operator[]): string =>
  `The operator ${operator} cannot be used with the field ${name}. Its operators are ${fitting.join(', ')}.`;

function valueErrorOf(field: Field, operator: Operator | undefined, value: string | null): string | undefined {
  if (operator !== undefined && !takesValue(operator)) return undefined;
  if (value === null || value === '') return operator && `The operator ${operator} requires a value.`;
  const isFitting = operator !== undefined && operatorsOf(field).includes(operator);
  const predicate = comparison(field, isFitting ? operator : 'equals', value);
  return typeof predicate === 'string' ? predicate : undefined;
}

/**
 * Returns the test of a stored condition. A condition that has become invalid, because its custom field was deleted or its
 * key has another type now, is true for no contact before negation.
 */
export function testOf(condition: Condition, customFields: CustomFieldsByKey): ConditionTest {
  const { operator, value } = condition;
  const field = findField(condition.field, customFields);
  if (!field || conditionErrorsOf(condition, customFields).length > 0) return neverTrue(operator);
  if (!takesValue(operator)) return emptinessTest(field, operator);
  const predicate = comparison(field, operator, value ?? '');
  return typeof predicate === 'string' ? neverTrue(operator) : { predicate, isNegated: isNegative(operator) };
}

const neverTrue = (operator: Operator): ConditionTest => ({
  predicate: { own: sql`FALSE` },
  isNegated: isNegative(operator),
});

const isNegative = (operator: Operator): boolean => operator.startsWith('not_') || operator === 'is_empty';

const own = (sqlOfRecord: Sql): Predicate => ({ own: sqlOfRecord });

const ownText = ({ exact, indexed }: TextMatch): Predicate => (indexed ? { own: indexed, exact } : { own: exact });

/** Empty means NULL or the empty string, or no tags or lists. It tests for the rarer case, which an index can find. */
function emptinessTest(field: Field, operator: Operator): ConditionTest {
  const empty = (test: Sql): ConditionTest => ({ predicate: own(test), isNegated: operator === 'is_not_empty' });
  const filled = (predicate: Predicate): ConditionTest => ({ predicate, isNegated: operator === 'is_empty' });
  switch (field.type) {
    case 'text':
      return empty(sql`coalesce(${contactText(field.column)}, '') = ''`);
    case 'custom text':
    case 'custom boolean':
      return empty(sql`coalesce(${customText(field.key)}, '') = ''`);
    case 'enum':
    case 'date':
      return filled(own(sql`record.${sql.ref(field.column)} IS NOT NULL`));
    case 'company':
      return filled(own(sql`record.company_id IS NOT NULL`));
    case 'tag':
      return filled({ membership: { table: 'tag_members', where: sql`TRUE` } });
    case 'list':
      return filled({ membership: { table: 'list_members', where: sql`TRUE` } });
    case 'custom number':
    case 'custom date':
      return filled(ordered(field.id, sql`TRUE`));
    default:
      return field satisfies never;
  }
}

/** What an operator compares with the value, without its negation. */
const COMPARISONS = {
  equals: 'equals',
  not_equals: 'equals',
  contains: 'contains',
  not_contains: 'contains',
  starts_with: 'starts_with',
  ends_with: 'ends_with',
  is_empty: 'empty',
  is_not_empty: 'empty',
  greater_than: 'greater_than',
  less_than: 'less_than',
} as const satisfies Readonly<Record<Operator, string>>;

const OF_TEXT = ['equals', 'contains', 'starts_with', 'ends_with'] as const satisfies readonly TextComparison[];
const OF_ORDER = ['equals', 'greater_than', 'less_than'] as const;
type Order = (typeof OF_ORDER)[number];

/** @param handled the comparisons that a type of field has @throws Error if the operator is another one */
function handledBy<const C extends string>(operator: Operator, handled: readonly C[]): C {
  const found = handled.find((each) => each === COMPARISONS[operator]);
  if (!found) throw new Error(`A field with ${handled.join(', ')} does not handle the operator ${operator}.`);
  return found;
}

/** @returns the test, or an error message if the value is invalid */
function comparison(field: Field, operator: Operator, value: string): Predicate | string {
  switch (field.type) {
    case 'text':
      return ownText(contactTextMatches(field.column, handledBy(operator, OF_TEXT), value));
    case 'custom text':
      return ownText(customTextMatches(field.key, handledBy(operator, OF_TEXT), value));
    case 'date':
    case 'custom date':
    case 'custom number':
      return orderComparison(field, handledBy(operator, OF_ORDER), value);
    default:
      handledBy(operator, ['equals']);
      return equality(field, value);
  }
}

function orderComparison(
  field: Field & { type: 'date' | 'custom date' | 'custom number' },
  order: Order,
  value: string,
): Predicate | string {
  switch (field.type) {
    case 'date':
      return withValue(periodOf(value), DATE_RULE, (period) => own(columnPeriod(field.column, order, period)));
    case 'custom date':
      return withValue(periodOf(value), DATE_RULE, (period) => ordered(field.id, valuePeriod(order, period)));
    case 'custom number':
      return withValue(numberOf(value), 'The value must be a number.', (number) =>
        ordered(field.id, sql`member.value ${COMPARATORS[order]} ${number}::double precision`),
      );
    default:
      return field satisfies never;
  }
}

function equality(
  field: Field & { type: 'enum' | 'company' | 'tag' | 'list' | 'custom boolean' },
  value: string,
): Predicate | string {
  switch (field.type) {
    case 'enum':
      return enumComparison(field, value);
    case 'company':
    case 'tag':
    case 'list':
      return withValue(idOf(value), 'The value must be an ID.', (id) => reference(field.type, id));
    case 'custom boolean':
      return withValue(booleanOf(value), 'The value must be true or false.', (boolean) =>
        own(sql`record.custom_fields @> ${JSON.stringify({ [field.key]: boolean })}::jsonb`),
      );
    default:
      return field satisfies never;
  }
}

const DATE_RULE = 'The value must be a date (YYYY-MM-DD) or an instant with its offset (ISO 8601).';

const withValue = <V>(value: V | undefined, rule: string, predicate: (value: V) => Predicate): Predicate | string =>
  value === undefined ? rule : predicate(value);

function enumComparison({ column, values }: Field & { type: 'enum' }, value: string): Predicate | string {
  if (!values.includes(value)) return `The value must be one of ${values.join(', ')}.`;
  const others = values.filter((other) => other !== value);
  return { own: isOneOf(column, [value]), negation: isOneOf(column, others) };
}

/** The test of `status` beside a stage is always true. It makes the index by status and stage usable for a stage. */
function isOneOf(column: ContactEnumField, values: readonly string[]): Sql {
  const test = sql`record.${sql.ref(column)} = ANY(${[...values]})`;
  return column === 'lifecycle_stage' ? sql`record.status = ANY(${[...CONTACT_STATUSES]}) AND ${test}` : test;
}

function reference(type: 'company' | 'tag' | 'list', id: number): Predicate {
  switch (type) {
    case 'company':
      return own(sql`record.company_id = ${id}`);
    case 'tag':
      return { membership: { table: 'tag_members', where: sql`member.tag_id = ${id}`, owner: id } };
    case 'list':
      return { membership: { table: 'list_members', where: sql`member.list_id = ${id}`, owner: id } };
    default:
      return type satisfies never;
  }
}

const ordered = (fieldId: number, where: Sql): Predicate => ({
  membership: { table: 'ordered_values', where: sql`member.custom_field_id = ${fieldId} AND ${where}` },
});

const COMPARATORS: Readonly<Record<Order, Sql>> = { equals: sql`=`, greater_than: sql`>`, less_than: sql`<` };

/** `greater_than`: after the end of the period; `less_than`: before its start; `equals`: within it. */
function columnPeriod(column: string, order: Order, { from, before }: Period): Sql {
  const value = sql`record.${sql.ref(column)}`;
  return within(value, order, [
    sql`to_timestamp(${from}::double precision / 1000)`,
    sql`to_timestamp(${before}::double precision / 1000)`,
  ]);
}

const valuePeriod = (order: Order, { from, before }: Period): Sql =>
  within(sql`member.value`, order, [sql`${from}::double precision`, sql`${before}::double precision`]);

function within(value: Sql, order: Order, [from, before]: readonly [Sql, Sql]): Sql {
  switch (order) {
    case 'greater_than':
      return sql`${value} >= ${before}`;
    case 'less_than':
      return sql`${value} < ${from}`;
    case 'equals':
      return sql`${value} >= ${from} AND ${value} < ${before}`;
    default:
      return order satisfies never;
  }
}
