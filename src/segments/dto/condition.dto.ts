import { Transform } from 'class-transformer';
import { IsIn, IsString } from 'class-validator';
import { Clearable, MaxCodePoints, Text } from '../../platform/http/index.js';
import { type Connector, CONNECTORS, type Operator, OPERATORS, takesValue } from '../conditions/index.js';

const LONGEST_VALUE = 500;
const LONGEST_FIELD = 100;

/** Numbers and booleans count as their text; where the operator takes no value, any is ignored. */
const readValue = ({ value, obj }: { value: unknown; obj: { operator?: unknown } }): unknown => {
  if (!takesValue(obj.operator as Operator)) return null;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
};

/** Whether the three fit together is for the workspace's fields to say, see `conditionFaults`. */
export class ConditionDto {
  @Text(LONGEST_FIELD) field!: string;

  @IsIn(OPERATORS) operator!: Operator;

  @Transform(readValue) @Clearable() @MaxCodePoints(LONGEST_VALUE) @IsString() value?: string | null;

  @Clearable() @IsIn(CONNECTORS) connector?: Connector | null;
}
