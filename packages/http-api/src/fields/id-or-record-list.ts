import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { is, type View } from '../responses/index.js';
import { IdList } from './fields.js';
import { declareRecords, type InputClass } from './known-fields.js';

/**
 * An array of at most `max` IDs. A response shows the records instead, so an element can be such a record; its ID counts,
 * and its other fields have no effect. A field that the view does not have is an error.
 */
export function IdOrRecordList(view: View<never>, max: number): PropertyDecorator {
  const { name, shape } = view;
  const optionalFields = Object.keys(shape).filter((field) => field !== 'id');
  const record = is.view({ name: `${name}Reference`, shape, optionalFields, isClosed: true });
  const declare = (target: object, field: string | symbol): void =>
    declareRecords(target.constructor as InputClass, String(field), Object.keys(shape));
  return applyDecorators(declare, Transform(idsOf), IdList(max, 0, { anyOf: [is.id, record] }));
}

const idsOf = ({ value }: { value: unknown }): unknown => (Array.isArray(value) ? value.map(idOf) : value);

const idOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'id' in value ? value.id : value;
