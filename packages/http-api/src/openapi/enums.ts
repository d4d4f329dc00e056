import { NAMED_ENUM, type Schema } from '../responses/index.js';
import type { EnumComment } from './reference-texts.js';

/** Returns the enum that a schema names, or that has exactly its values, besides null. */
export function findEnum(
  enums: readonly EnumComment[],
  { [NAMED_ENUM]: name, enum: values }: Schema,
): EnumComment | undefined {
  if (name !== undefined) return enums.find((each) => each.name === name);
  if (!Array.isArray(values)) return undefined;
  const wanted = JSON.stringify(values.filter((value) => value !== null));
  return enums.find((each) => JSON.stringify(each.values.map(([value]) => value)) === wanted);
}

/** Returns the schema of an enum, with the meaning of each value. */
export const enumSchema = ({ text, values }: EnumComment): Schema => ({
  type: typeof values[0]?.[0] === 'number' ? 'integer' : 'string',
  enum: values.map(([value]) => value),
  description: [
    text,
    values
      .filter(([, meaning]) => meaning)
      .map(valueLine)
      .join('\n'),
  ]
    .filter(Boolean)
    .join('\n\n'),
});

const valueLine = ([value, meaning]: readonly [unknown, string]): string => `- \`${String(value)}\`: ${meaning}`;
