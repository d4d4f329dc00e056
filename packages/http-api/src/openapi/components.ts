import { definedReasons } from '@outreach/http-errors';
import { NAMED, type NamedShape, type Schema, type View } from '../responses/index.js';
import { ignoredFields, type InputClass } from '../fields/index.js';
import { enumSchema, findEnum } from './enums.js';
import { ERROR_SCHEMAS, reasonSchema } from './error-schemas.js';
import { inputFields, NULL_IS_NO_VALUE, objectSchema } from './input-schema.js';
import { CURSOR_PAGE_LINKS, CURSOR_PAGE_META, PAGE_LINKS, PAGE_META } from './page-schemas.js';
import { fieldText, type ReferenceTexts } from './reference-texts.js';

/** Returns the value of a field in the last of the records that have one. */
const exampleOf = (field: string, records: readonly unknown[]): unknown =>
  records
    .map((record) => (record as Readonly<Record<string, unknown>> | undefined)?.[field])
    .findLast((each) => each != null);

const ENVELOPES = {
  PageLinks: PAGE_LINKS,
  PageMeta: PAGE_META,
  CursorPageLinks: CURSOR_PAGE_LINKS,
  CursorPageMeta: CURSOR_PAGE_META,
  ...ERROR_SCHEMAS,
};

/** Returns a reference to a named schema. */
export const schemaRef = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** Returns the names of a class and of those that it extends. */
function classNames({ prototype }: InputClass): string[] {
  const names: string[] = [];
  for (let each = prototype as object; each !== Object.prototype; each = Object.getPrototypeOf(each) as object)
    names.push(each.constructor.name);
  return names;
}

/** The named schemas of a document, collected while its routes are described. */
export class Components {
  private readonly named = new Map<string, { readonly source: object; readonly schema: Schema }>();

  private readonly pages: Record<string, Schema> = {};

  constructor(readonly texts: ReferenceTexts) {
    for (const [name, schema] of Object.entries(ENVELOPES)) this.add(name, schema, () => this.described(name, schema));
    this.add('ErrorReason', definedReasons, reasonSchema);
  }

  /** Returns the reference to a view's schema, and adds the schema. */
  view(view: View<never>): Schema {
    return view.items ? { type: 'array', items: this.view(view.items) } : this.shape(view);
  }

  /**
   * Returns the reference to an input's schema, and adds the schema.
   * @param record the name of the schema of the record that the input creates or changes
   */
  input = (input: InputClass, record?: string): Schema => {
    const name = this.nameOf(input);
    const owners = [...classNames(input), record ?? name.replace(/^(Create|Update)|Input$/g, '')];
    return this.add(name, input, () =>
      this.described(name, objectSchema(inputFields(input, this.input), ignoredFields(input)), owners),
    );
  };

  /** Returns the reference to the schema of a form, and adds the schema. */
  form = (input: InputClass, schema: Schema): Schema => {
    const name = this.nameOf(input);
    return this.add(name, input, () => this.described(name, schema, [input.name]));
  };

  /** The name of an input's schema. */
  nameOf = (input: InputClass): string => input.name.replace(/Dto$/, '');

  /**
   * Returns the reference to the schema of a page of a list, and adds the schema: `ContactPage`, and `ContactCursorPage`
   * if the list can be read with a cursor.
   * @param record the name of the schema of the records
   */
  page(record: string, items: Schema, hasCursor: boolean): Schema {
    const kind = hasCursor ? 'CursorPage' : 'Page';
    const name = `${record}${kind}`;
    const source = (this.pages[name] ??= {
      type: 'object',
      properties: {
        data: { type: 'array', items, description: 'The records of this page.' },
        links: { ...schemaRef(`${kind}Links`), description: 'The URLs of other pages.' },
        meta: { ...schemaRef(`${kind}Meta`), description: 'The numbers of this page.' },
      },
      required: ['data', 'links', 'meta'],
    });
    return this.add(name, source, () => source);
  }

  /** Returns the schema with references instead of the named shapes and enums in it. */
  resolve(schema: Schema): Schema {
    const { [NAMED]: named, ...rest } = schema;
    const { name } = findEnum(this.texts.enums, schema) ?? {};
    if (named ?? name) return this.referred(schema, named);
    const { items, anyOf } = rest as { items?: Schema; anyOf?: Schema[] };
    return {
      ...rest,
      ...(items ? { items: this.resolve(items) } : {}),
      ...(anyOf ? { anyOf: anyOf.map((each) => this.resolve(each)) } : {}),
    };
  }

  /** All schemas, in the order of their names. */
  schemas(): Readonly<Record<string, Schema>> {
    const sorted = [...this.named].sort(([one], [other]) => one.localeCompare(other, 'en'));
    return Object.fromEntries(sorted.map(([name, { schema }]) => [name, schema]));
  }

  private shape(named: NamedShape): Schema {
    const { name, shape, optionalFields, isClosed } = named;
    return this.add(name, shape, () =>
      this.described(
        name,
        {
          type: 'object',
          properties: shape,
          required: Object.keys(shape).filter((field) => !optionalFields.includes(field)),
          ...(isClosed ? { additionalProperties: false } : {}),
        },
        [name.replace(/Reference$/, ''), this.texts.records[name] ?? ''],
      ),
    );
  }

  /** Adds descriptions and examples to the properties, and refers to what has a name. */
  private described(name: string, schema: Schema, owners: readonly string[] = []): Schema {
    const examples = [...owners, name].map((each) => this.texts.examples.schemas[each]);
    const properties = Object.entries(schema.properties as Readonly<Record<string, Schema>>).map(
      ([field, declared]) => {
        const text = fieldText(this.texts, [...owners, name], field.replace('[]', ''));
        // The text of the field may say itself what null means.
        const saysNull = declared.description === NULL_IS_NO_VALUE && /\bnull`? means/i.test(text ?? '');
        const description = [text, !saysNull && declared.description].filter(Boolean).join(' ');
        const { $ref, items, ...rest } = this.resolve(declared);
        const example = exampleOf(field, [this.texts.examples.fields, ...examples]);
        const isLeaf = $ref === undefined && !items?.$ref && rest.anyOf === undefined;
        return [
          field,
          {
            ...($ref === undefined ? {} : { $ref }),
            ...rest,
            ...(items ? { items } : {}),
            ...(description ? { description } : {}),
            ...(isLeaf && example !== undefined ? { examples: [example] } : {}),
          },
        ] as const;
      },
    );
    return { ...schema, properties: Object.fromEntries(properties) };
  }

  /** The reference to a shape or an enum, with the other keywords of the schema beside it. */
  private referred(schema: Schema, named: NamedShape | undefined): Schema {
    const { [NAMED]: _named, type, enum: _values, ...rest } = schema;
    const reference = named ? this.shape(named) : this.enumeration(schema);
    return [type].flat().includes('null')
      ? { ...rest, anyOf: [reference, { type: 'null' }] }
      : { ...rest, ...reference };
  }

  private enumeration(schema: Schema): Schema {
    const found = findEnum(this.texts.enums, schema);
    return found ? this.add(found.name, found, () => enumSchema(found)) : schema;
  }

  private add(name: string, source: object, schema: () => Schema): Schema {
    const existing = this.named.get(name);
    if (existing && existing.source !== source)
      throw new Error(`Two schemas of the API reference are called ${name}: rename the view, the input or the enum.`);
    if (!existing) {
      const entry = { source, schema: {} };
      this.named.set(name, entry);
      entry.schema = schema();
    }
    return schemaRef(name);
  }
}
