import fc from 'fast-check';
import type { ApiOperation, DescribedApi, InputSchema } from './operations.js';
import { hostileText, hostileValue, type KnownIds, RandomValues } from './random-values.js';

/** A request as data, so that a failure can be repeated from its report. */
export interface RandomRequest {
  /** The method and the path in the OpenAPI document. */
  readonly operation: string;
  readonly method: string;
  /** With the query string. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What a parameter in a path stands for: the values of one's own record, and of another workspace's. */
export type PathValues = (path: string, parameter: string) => { own: readonly string[]; others: readonly string[] };

const MALFORMED_BODIES = [
  '',
  '{',
  'null',
  '[]',
  '"text"',
  '{"name":1e999}',
  '{"name":"\u0001"}',
  '{"a":1,"a":2}',
  '[{},[],"',
  '{"__proto__":{"name":"x"}}',
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  `${'{"conditions":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
  '\u0000',
  '\ufeff{}',
];

const CONTENT_TYPES = [
  'application/json',
  'application/json; charset=utf-16',
  'application/json; charset=nothing',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary=x',
  'message/rfc822',
  'application/jsonx',
  ';',
];

const HEADERS = [
  'idempotency-key',
  'x-request-id',
  'accept',
  'content-encoding',
  'accept-language',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-http-method-override',
  'cookie',
  'range',
  'if-none-match',
];

/** Text that HTTP allows as the value of a header. */
const headerText = hostileText.map((text) =>
  text
    .replaceAll(/[^\x20-\x7e\x80-\xff]/g, '')
    .slice(0, 500)
    .trim(),
);

/** Returns the method and the path of an operation. */
export const nameOf = ({ method, path }: ApiOperation): string => `${method} ${path}`;

/** Requests to every operation of an API, each equally often. */
export class RandomRequests {
  private readonly values: RandomValues;

  constructor(
    private readonly api: DescribedApi,
    ids: KnownIds,
    private readonly pathValues: PathValues,
  ) {
    this.values = new RandomValues(api.schemas, ids);
  }

  /** The same requests for the same seed, to all operations or to these. */
  sample(count: number, seed: number, operations = this.api.operations): RandomRequest[] {
    return fc.sample(fc.oneof(...operations.map((operation) => this.of(operation))), {
      numRuns: count,
      seed,
    });
  }

  private of(operation: ApiOperation): fc.Arbitrary<RandomRequest> {
    const parts = fc.tuple(this.path(operation), this.query(operation), this.headers(), this.body(operation));
    return parts.map(([path, query, headers, content]) => ({
      operation: nameOf(operation),
      method: operation.method,
      path: query ? `${path}?${query}` : path,
      headers: { ...content.headers, ...headers },
      ...(content.body === undefined ? {} : { body: content.body }),
    }));
  }

  private path({ path }: ApiOperation): fc.Arbitrary<string> {
    const parts = path.split(/\{(\w+)\}/);
    const values = parts.map((part, index) => (index % 2 ? this.pathValue(path, part) : fc.constant(part)));
    return fc.tuple(...values).map((texts) => texts.join(''));
  }

  private pathValue(path: string, parameter: string): fc.Arbitrary<string> {
    const { own, others } = this.pathValues(path, parameter);
    const hostile = hostileText.map((text) => encodeURIComponent(text.toWellFormed()) || '0');
    const malformed = fc.constantFrom('%', '%zz', '%ff', '%c0%af', '..', '0x1', '1e3', '+1', '1.0');
    return fc.oneof(
      ...(own.length > 0 ? [{ weight: 12, arbitrary: fc.constantFrom(...own) }] : []),
      ...(others.length > 0 ? [{ weight: 3, arbitrary: fc.constantFrom(...others) }] : []),
      { weight: 3, arbitrary: hostile },
      { weight: 1, arbitrary: malformed },
    );
  }

  private query({ query }: ApiOperation): fc.Arbitrary<string> {
    const pairs = query.map(({ name, schema }) => {
      const value = fc.oneof(this.values.of(schema, name).map(String), hostileText);
      return fc.tuple(fc.constantFrom(name, name, name, `${name}[]`, `${name}[a]`, `${name}[__proto__]`), value);
    });
    const ignored = fc.tuple(fc.constantFrom('_unknown', '__proto__'), hostileText);
    const unknown = fc.tuple(fc.constantFrom('unknown', 'page[', ''), hostileText);
    const known = fc.array(fc.oneof(...(pairs.length > 0 ? pairs : [ignored]), ignored), { maxLength: 4 });
    const refused = fc.array(fc.oneof(...pairs, unknown), { maxLength: 4 });
    const some = fc.oneof({ weight: 7, arbitrary: known }, { weight: 1, arbitrary: refused });
    return some.map((parameters) => new URLSearchParams(parameters).toString());
  }

  private headers(): fc.Arbitrary<Record<string, string>> {
    const hostile = fc.dictionary(fc.constantFrom(...HEADERS), headerText, { maxKeys: 2, noNullPrototype: true });
    return fc.oneof({ weight: 7, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: hostile });
  }

  private body({ body }: ApiOperation): fc.Arbitrary<{ headers: Record<string, string>; body?: string }> {
    const none = fc.constant({ headers: {} });
    const anything = fc.tuple(
      fc.oneof(
        fc.constantFrom(...MALFORMED_BODIES),
        hostileValue.map((value) => JSON.stringify(value)),
      ),
      fc.oneof({ weight: 3, arbitrary: fc.constant('application/json') }, fc.constantFrom(...CONTENT_TYPES)),
    );
    const hostile = anything.map(([text, type]) => ({ headers: { 'content-type': type }, body: text }));
    if (!body) return fc.oneof({ weight: 8, arbitrary: none }, { weight: 1, arbitrary: hostile });
    return fc.oneof({ weight: 8, arbitrary: this.fitting(body) }, { weight: 2, arbitrary: hostile });
  }

  private fitting({ contentType, schema }: { readonly contentType: string; readonly schema: InputSchema }) {
    if (contentType === 'multipart/form-data') return this.form(schema);
    const value = contentType === 'message/rfc822' ? mail : this.values.of(schema).map((json) => JSON.stringify(json));
    return value.map((body) => ({ headers: { 'content-type': contentType }, body }));
  }

  private form(schema: InputSchema): fc.Arbitrary<{ headers: Record<string, string>; body: string }> {
    const names = [...Object.keys(schema.properties ?? {}), 'mapping[email]', 'mapping[custom_fields.mine]', 'unknown'];
    const text = fc.oneof(hostileText, csv, fc.constantFrom('email', '1', 'true'));
    const part = fc.tuple(fc.constantFrom('file', ...names), fc.boolean(), text);
    const file = fc.tuple(fc.constant('file'), fc.constant(true), csv);
    const parts = fc.oneof(fc.array(part, { maxLength: 5 }), fc.tuple(file, part), fc.tuple(file));
    return parts.map((each) => ({
      headers: { 'content-type': 'multipart/form-data; boundary=edge' },
      body: `${each.map(formPart).join('')}--edge--\r\n`,
    }));
  }
}

const formPart = ([name, isFile, value]: readonly [string, boolean, string]): string =>
  `--edge\r\ncontent-disposition: form-data; name="${name}"${isFile ? '; filename="x.csv"' : ''}\r\n\r\n${value}\r\n`;

const cell = fc.oneof(hostileText, fc.constantFrom('a@example.com', 'b@example.com', 'Zoé', '=1+1', '"a;b"', '"'));
const csv = fc
  .tuple(
    fc.constantFrom('email,first_name', 'email;custom_fields.mine', 'Email\tmine', 'x'),
    fc.array(fc.array(cell, { minLength: 1, maxLength: 3 }), { maxLength: 6 }),
    fc.constantFrom(',', ';', '\t'),
  )
  .map(([header, rows, separator]) => [header, ...rows.map((row) => row.join(separator))].join('\n'));

const mail = fc
  .tuple(
    fc.constantFrom('multipart/report; report-type=delivery-status; boundary=b', 'text/plain', 'multipart/mixed', 'x'),
    fc.array(
      fc.tuple(
        fc.constantFrom('Message-ID', 'In-Reply-To', 'Subject', 'From', 'Content-Transfer-Encoding'),
        hostileText,
      ),
    ),
    fc.array(
      fc.oneof(hostileText, fc.constant('Final-Recipient: rfc822; a@example.com\r\nAction: failed\r\nStatus: 5.1.1')),
    ),
  )
  .map(([type, headers, parts]) =>
    [
      `Content-Type: ${type}`,
      ...headers.map(([name, value]) => `${name}: ${value}`),
      '',
      ...parts.map((part) => `--b\r\nContent-Type: message/delivery-status\r\n\r\n${part}`),
      '--b--',
    ].join('\r\n'),
  );
