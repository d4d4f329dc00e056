/** Operations by path or name, and by method. */
type Operations = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>;

/** What is read of an OpenAPI 3.1 document. */
export interface ReferenceDocument {
  readonly info: { readonly title: string; readonly [keyword: string]: unknown };
  readonly paths: Operations;
  readonly webhooks: Operations;
  readonly [keyword: string]: unknown;
}
