/** Metadata key of the {@link RecordRule}s of a route. */
export const RECORD_RULES = Symbol('record rules');

/** How a record is found that belongs to another one. */
export interface ParentRule {
  /** The column that equals the ID of the other record. */
  readonly column: string;
  /** The path parameter of the other record. */
  readonly parameter: string;
  /** The column that the path parameter of this record contains; `id` by default. */
  readonly key?: string;
}

/** A text of a path, as records have it; or why no record can. */
export interface PathText {
  readonly value: string;
  readonly error?: string;
}

/** A record that must exist before the body is validated: a 404 comes before a 422. */
export interface RecordRule<T extends object = object> {
  readonly entity: new () => T;
  readonly parameter: string;
  /** The parameter is a text, and the name of a unique column. The record need not exist. */
  readonly readText?: (text: string) => PathText;
  /** The record belongs to that of another, earlier parameter. */
  readonly within?: ParentRule;
}
