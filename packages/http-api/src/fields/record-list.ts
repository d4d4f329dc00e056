import { applyDecorators } from '@nestjs/common';
import { ArrayMaxSize, ArrayMinSize, IsArray } from 'class-validator';
import { FreeMap } from './fields.js';
import type { InputClass } from './known-fields.js';

const recordLists = new WeakMap<object, Map<string, () => InputClass>>();

/**
 * An array of 1 to `max` records whose errors do not refuse the whole body: the handler gets the elements as the client
 * wrote them, and reads them with `readRecord`.
 * @param input the class of an element
 */
export const RecordList = (input: () => InputClass, max: number): PropertyDecorator =>
  applyDecorators(declare(input), FreeMap(), IsArray(), ArrayMaxSize(max), ArrayMinSize(1));

const declare =
  (input: () => InputClass): PropertyDecorator =>
  ({ constructor }, name) => {
    recordLists.set(constructor, new Map([...recordListsOf(constructor), [String(name), input]]));
  };

/** Returns the classes of the elements of those fields that are a {@link RecordList}, by field. */
export const recordListsOf = (input: object): ReadonlyMap<string, () => InputClass> =>
  recordLists.get(input) ?? new Map<string, () => InputClass>();
