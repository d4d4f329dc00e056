/** What is read of a parameter. */
export interface DescribedParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: DescribedSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, object>>;
}

/** What is read of a schema. */
export interface DescribedSchema {
  readonly $ref?: string;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, unknown>>;
}

type Content = Readonly<Record<string, { readonly schema?: DescribedSchema; readonly example?: unknown }>>;

/** What is read of an operation. */
export interface DescribedOperation {
  readonly parameters: readonly (DescribedParameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
  readonly security?: readonly object[];
}

/** What is read of the components. */
export interface DescribedComponents {
  readonly parameters: Readonly<Record<string, DescribedParameter>>;
  readonly schemas: Readonly<Record<string, DescribedSchema>>;
}

/** An operation that is read with its document. */
export class OperationReader {
  readonly #components: DescribedComponents;

  constructor(
    document: Readonly<Record<string, unknown>>,
    readonly method: string,
    readonly path: string,
    readonly operation: DescribedOperation,
  ) {
    this.#components = document.components as DescribedComponents;
  }

  get needsToken(): boolean {
    return this.operation.security?.length !== 0;
  }

  /** The names and examples of the parameters in one place. */
  parameters(place: DescribedParameter['in'], isIncluded = (_: DescribedParameter) => true): Record<string, unknown> {
    const parameters = this.operation.parameters.map((one) => ('name' in one ? one : this.#parameter(one.$ref)));
    return Object.fromEntries(
      parameters
        .filter((one) => one.in === place && isIncluded(one))
        .map(({ name, schema, example }) => [name, example ?? schema.examples?.[0]]),
    );
  }

  /** The media type and the example of the body of the request; undefined if it has none. */
  get body(): { readonly type: string; readonly example: unknown } | undefined {
    const [content] = Object.entries(this.operation.requestBody?.content ?? {});
    return content && { type: content[0], example: content[1].example };
  }

  /** The media type of a successful response and the names of its properties; undefined if it has no body. */
  get result(): { readonly type: string; readonly properties: readonly string[] } | undefined {
    const success = Object.entries(this.operation.responses).find(([status]) => /^2/.test(status))?.[1];
    const [content] = Object.entries(success?.content ?? {});
    if (!content) return undefined;
    const { schema = {} } = content[1];
    const { properties = {} } = schema.$ref === undefined ? schema : (this.#schema(schema.$ref) ?? {});
    return { type: content[0], properties: Object.keys(properties) };
  }

  #parameter = (ref: string): DescribedParameter => this.#components.parameters[lastSegment(ref)] ?? missing(ref);

  #schema = (ref: string): DescribedSchema => this.#components.schemas[lastSegment(ref)] ?? missing(ref);
}

const lastSegment = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

function missing(ref: string): never {
  throw new Error(`${ref} does not exist in the document.`);
}
