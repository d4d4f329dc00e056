import { Transform } from 'class-transformer';
import { IsIn, IsString } from 'class-validator';
import { NullableField, MaxCodePoints, TextField } from '../../platform/http/index.js';
import { type Connector, CONNECTORS, type Operator, OPERATORS, takesValue } from '../conditions/index.js';

const MAX_VALUE_LENGTH = 500;
const MAX_FIELD_LENGTH = 100;

/** Converts numbers and booleans to strings. Ignores any value if the operator takes none. */
const readValue = ({ value, obj }: { value: unknown; obj: { operator?: unknown } }): unknown => {
  if (!takesValue(obj.operator as Operator)) return null;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
};

/** `conditionErrors` also checks the combination of the three, because it depends on the custom fields of the workspace. */
export class ConditionDto {
  @TextField(MAX_FIELD_LENGTH) field!: string;

  @IsIn(OPERATORS) operator!: Operator;

  @Transform(readValue) @NullableField() @MaxCodePoints(MAX_VALUE_LENGTH) @IsString() value?: string | null;

  @NullableField() @IsIn(CONNECTORS) connector?: Connector | null;
}
