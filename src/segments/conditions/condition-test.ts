import {
  contactText,
  contactTextMatches,
  customText,
  customTextMatches,
  CONTACT_STATUSES,
  type TextComparison,
  type TextMatch,
} from '../../contacts/index.js';
import { type Sql, sql } from '../../platform/database/index.js';
import { type Condition, type Operator, takesValue } from './condition.js';
import { type CustomFieldsByKey, type Field, findField, operatorsOf } from './fields.js';
import { booleanOf, idOf, numberOf, type Period, periodOf } from './values.js';

/** A condition as a test of a contact. What it says may be null, which counts as no. */
export interface ConditionTest {
  /** On `record`, the contact. */
  readonly holds: Holds;
  /** The condition is met by those for whom it does not hold, or is null. */
  readonly isNegated: boolean;
}

/** Either the contact's own row tells, or rows of another table that name the contact. */
export type Holds = OwnTest | { readonly membership: Membership };

export interface OwnTest {
  readonly own: Sql;
  /** The same without what leads to an index: less work where most contacts are candidates. */
  readonly exact?: Sql;
  /** The opposite, where indexes can find it; else it is whatever `own` is not. */
  readonly negation?: Sql;
}

/** The rows that tell of a contact that something holds. */
export interface Membership {
  readonly table: 'tag_members' | 'list_members' | 'ordered_values';
  /** Which of its rows, as `member`. */
  readonly where: Sql;
  /** The tag or list, where all of its rows are meant: their number is kept. */
  readonly owner?: number;
}

/** What makes a condition unfit: the part of it that is wrong, and why. */
export interface ConditionError {
  readonly part: 'field' | 'operator' | 'value';
  readonly message: string;
}

type ParsedCondition = { readonly test: ConditionTest } | { readonly invalid: ConditionError };

/** What is wrong with a condition; undefined where nothing is, as far as it can be judged without its references. */
export function conditionErrorOf(condition: Condition, customFields: CustomFieldsByKey): ConditionError | undefined {
  const parsed = parseCondition(condition, customFields);
  return 'invalid' in parsed ? parsed.invalid : undefined;
}

/**
 * The test that a stored condition is. One that no longer makes sense, because its custom field is gone or another one
 * took its key, holds for nobody.
 */
export function testOf(condition: Condition, customFields: CustomFieldsByKey): ConditionTest {
  const parsed = parseCondition(condition, customFields);
  return 'test' in parsed ? parsed.test : { holds: { own: sql`FALSE` }, isNegated: isNegative(condition.operator) };
}

const isNegative = (operator: Operator): boolean => operator.startsWith('not_') || operator === 'is_empty';

function parseCondition({ field: name, operator, value }: Condition, customFields: CustomFieldsByKey): ParsedCondition {
  const field = findField(name, customFields);
  if (!field) return invalid('field', `There is no field ${name}.`);
  if (!operatorsOf(field).includes(operator)) return invalid('operator', `${operator} does not fit the field ${name}.`);
  if (!takesValue(operator)) return { test: emptinessTest(field, operator) };
  if (value === null || value === '') return invalid('value', `The operator ${operator} needs a value.`);
  const holds = comparison(field, operator, value);
  if (typeof holds === 'string') return invalid('value', holds);
  return { test: { holds, isNegated: isNegative(operator) } };
}

const invalid = (part: ConditionError['part'], message: string): ParsedCondition => ({ invalid: { part, message } });

const own = (sqlOfRecord: Sql): Holds => ({ own: sqlOfRecord });

const ownText = ({ exact, indexed: led }: TextMatch): Holds => (led ? { own: led, exact } : { own: exact });

/** Empty is null or the empty text; for tags and lists none at all. What is rarer is asked, for the sake of indexes. */
function emptinessTest(field: Field, operator: Operator): ConditionTest {
  const empty = (test: Sql): ConditionTest => ({ holds: own(test), isNegated: operator === 'is_not_empty' });
  const filled = (holds: Holds): ConditionTest => ({ holds, isNegated: operator === 'is_empty' });
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

/** @returns what is wrong with the value, where something is */
function comparison(field: Field, operator: Operator, value: string): Holds | string {
  switch (field.type) {
    case 'text':
      return ownText(contactTextMatches(field.column, textComparison(operator), value));
    case 'custom text':
      return ownText(customTextMatches(field.key, textComparison(operator), value));
    case 'enum':
      return enumComparison(field, value);
    case 'company':
    case 'tag':
    case 'list':
      return withValue(idOf(value), 'The value must be an ID.', (id) => reference(field.type, id));
    case 'date':
      return withValue(periodOf(value), DATE_RULE, (period) => own(columnPeriod(field.column, operator, period)));
    case 'custom date':
      return withValue(periodOf(value), DATE_RULE, (period) => ordered(field.id, valuePeriod(operator, period)));
    case 'custom number':
      return withValue(numberOf(value), 'The value must be a number.', (number) =>
        ordered(field.id, sql`member.value ${comparator(operator)} ${number}::double precision`),
      );
    case 'custom boolean':
      return withValue(booleanOf(value), 'The value must be true or false.', (boolean) =>
        own(sql`record.custom_fields @> ${JSON.stringify({ [field.key]: boolean })}::jsonb`),
      );
    default:
      return field satisfies never;
  }
}

const DATE_RULE = 'The value must be a date (YYYY-MM-DD) or an instant with its offset (ISO 8601).';

const withValue = <V>(value: V | undefined, rule: string, holds: (value: V) => Holds): Holds | string =>
  value === undefined ? rule : holds(value);

/** The comparison that a text operator makes, or is the opposite of. */
function textComparison(operator: Operator): TextComparison {
  switch (operator) {
    case 'contains':
    case 'not_contains':
      return 'contains';
    case 'starts_with':
    case 'ends_with':
      return operator;
    default:
      return 'equals';
  }
}

/** That the status is one of all goes without saying, but lets the index by status and stage find a stage. */
function enumComparison({ column, values }: Field & { type: 'enum' }, value: string): Holds | string {
  if (!values.includes(value)) return `The value must be one of ${values.join(', ')}.`;
  const others = values.filter((other) => other !== value);
  return { own: isOneOf(column, [value]), negation: isOneOf(column, others) };
}

const isOneOf = (column: 'status' | 'lifecycle_stage', values: readonly string[]): Sql =>
  column === 'status'
    ? sql`record.status = ANY(${[...values]})`
    : sql`record.status = ANY(${[...CONTACT_STATUSES]}) AND record.lifecycle_stage = ANY(${[...values]})`;

function reference(type: 'company' | 'tag' | 'list', id: number): Holds {
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

const ordered = (fieldId: number, where: Sql): Holds => ({
  membership: { table: 'ordered_values', where: sql`member.custom_field_id = ${fieldId} AND ${where}` },
});

function comparator(operator: Operator): Sql {
  return operator === 'greater_than' ? sql`>` : operator === 'less_than' ? sql`<` : sql`=`;
}

/** After the end of a day, before its beginning, or within it. */
function columnPeriod(column: string, operator: Operator, { from, before }: Period): Sql {
  const value = sql`record.${sql.ref(column)}`;
  return within(value, operator, [
    sql`to_timestamp(${from}::double precision / 1000)`,
    sql`to_timestamp(${before}::double precision / 1000)`,
  ]);
}

const valuePeriod = (operator: Operator, { from, before }: Period): Sql =>
  within(sql`member.value`, operator, [sql`${from}::double precision`, sql`${before}::double precision`]);

function within(value: Sql, operator: Operator, [from, before]: readonly [Sql, Sql]): Sql {
  if (operator === 'greater_than') return sql`${value} >= ${before}`;
  if (operator === 'less_than') return sql`${value} < ${from}`;
  return sql`${value} >= ${from} AND ${value} < ${before}`;
}
