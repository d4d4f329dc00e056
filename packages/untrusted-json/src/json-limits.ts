/** Errors by the path of the value, such as `steps.0.name`, as the sender wrote it. */
export type JsonErrors = Readonly<Record<string, readonly string[]>>;

/** How many levels of objects and arrays a body has. */
export const MAX_LEVELS = 20;
/** How many keys an object of a body has. */
export const MAX_OBJECT_KEYS = 1_000;
/** How many values all objects and arrays of a body have together. */
export const MAX_VALUES = 20_000;

/** The error of a body that is not an object. */
export const NOT_AN_OBJECT: JsonErrors = { body: ['The body must be a JSON object.'] };

/** The error of an object or array at the path in more than 20 levels. */
export const tooDeep = (path: string): JsonErrors => ({ [path]: ['The value is nested too deeply.'] });

/** The error of an object at the path with more than 1,000 keys. */
export const tooManyKeys = (path: string): JsonErrors => ({
  [path || 'body']: [`An object can have at most ${MAX_OBJECT_KEYS.toLocaleString('en')} keys.`],
});

/** The error of a body that has more than 20,000 values in the object or array at the path and those before it. */
export const tooManyValues = (path: string): JsonErrors => ({
  [path || 'body']: [`A body can have at most ${MAX_VALUES.toLocaleString('en')} values.`],
});

/** A body has more than 20,000 values: what follows was not looked at. */
export class TooManyValues extends Error {
  constructor(readonly errors: JsonErrors) {
    super('The body has too many values.');
  }
}

/** Whether a value of JSON is an object, neither an array nor null. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
