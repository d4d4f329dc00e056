/** An enum: `type X = (typeof VALUES)[number]`. */
export interface EnumComment {
  /** The name of the type. */
  readonly name: string;
  /** The doc comment of the values. */
  readonly text: string;
  /** Each value with the comment before it, which may be empty. */
  readonly values: readonly (readonly [value: unknown, text: string])[];
}

type FieldTexts = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The doc comments of the code, read when the reference is generated. A running service does not have them. */
export interface DocComments {
  /** The fields of the classes of bodies and query strings, by the name of the class. */
  readonly inputs: FieldTexts;
  /** The fields of views, by the name of the view. */
  readonly views: FieldTexts;
  /** The handlers of routes, as `ContactsController.list`. */
  readonly handlers: Readonly<Record<string, string>>;
  readonly enums: readonly EnumComment[];
}

/** A section of the reference. */
export interface TagText {
  readonly name: string;
  /** Markdown */
  readonly description: string;
}

/** What the reference says to people. */
export interface ReferenceTexts extends DocComments {
  /** Markdown */
  readonly introduction: string;
  /** Fields that mean the same in every record, by name; and fields whose names are computed, as `Schema.field`. */
  readonly fields: Readonly<Record<string, string>>;
  /** Records that have the fields of an input: the name of a shape → the class of the input. */
  readonly records: Readonly<Record<string, string>>;
  /** Parameters of paths and query strings, by name or as `ContactListQuery.search`. */
  readonly parameters: Readonly<Record<string, string>>;
  /** In the order in which they are shown. */
  readonly tags: readonly TagText[];
  readonly examples: Examples;
}

/** Examples, see {@link ReferenceTexts}. */
export interface Examples {
  /** Records by the name of their schema. `{ $example: 'Contact' }` stands for another one. */
  readonly schemas: Readonly<Record<string, unknown>>;
  /** Fields whose record has no example of them, by name. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Bodies, by the ID of the operation. */
  readonly operations: Readonly<Record<string, { readonly request?: unknown; readonly response?: unknown }>>;
}

/** For a document that only programs read. */
export const NO_TEXTS: ReferenceTexts = {
  inputs: {},
  views: {},
  handlers: {},
  enums: [],
  introduction: '',
  fields: {},
  records: {},
  parameters: {},
  tags: [],
  examples: { schemas: {}, fields: {}, parameters: {}, operations: {} },
};

/** Returns the description of a field: that of the first of the classes and views that has one, or the common one. */
export function fieldText(texts: ReferenceTexts, owners: readonly string[], field: string): string | undefined {
  const own = owners
    .map((owner) => texts.inputs[owner]?.[field] ?? texts.views[owner]?.[field] ?? texts.fields[`${owner}.${field}`])
    .find((text) => text !== undefined);
  return own ?? texts.fields[field];
}
