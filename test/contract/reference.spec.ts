import { dereference, validate } from '@readme/openapi-parser';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { signedHeaders } from '@outreach/webhook-delivery';
import { type Route, Routes } from '@outreach/http-api/routes';
import { EVENT_NAMES, TEST_EVENT } from '../../src/webhooks/index.js';
import type { ApiClient } from '../support/api-client.js';
import { useService } from '../support/service.js';
import { WorkspaceFixture } from '../isolation/workspace-fixture.js';

const POSTS_WITHOUT_KEY = /\/(preview|check|test)$/;

describe('the OpenAPI document', () => {
  const service = useService({ PUBLIC_URL: 'https://api.example.test' });
  let routes: Route[];
  let document: any;
  beforeAll(async () => {
    routes = service.app.get(Routes).all();
    document = await (await fetch(`${service.url}/openapi.json`)).json();
  });

  const operationOf = ({ method, path }: Route): any => {
    const template = Object.keys(document.paths).find(
      (each) => each.replaceAll(/\{\w+\}/g, '{}') === path.replaceAll(/:\w+/g, '{}'),
    );
    return document.paths[template ?? '']?.[method.toLowerCase()];
  };
  const operations = (): any[] =>
    [...Object.values(document.paths as object), ...Object.values(document.webhooks as object)].flatMap(
      (path: object) => Object.values(path),
    );
  const named = (schema: any): any =>
    schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)] : schema;
  const parameters = (operation: any, location: string): any[] =>
    operation.parameters
      .map((one: any) => (one.$ref ? document.components.parameters[one.$ref.split('/').at(-1)] : one))
      .filter((one: any) => one.in === location);

  const fixtureOf = (client: ApiClient) => new WorkspaceFixture(client, service.database, 'mine').fill();

  it('is valid OpenAPI 3.1 and has the public URL as its server', async () => {
    expect(await validate(structuredClone(document))).toMatchObject({ valid: true });
    expect(document.openapi).toBe('3.1.0');
    expect(document.servers).toEqual([{ url: 'https://api.example.test' }]);
    expect(document.components.securitySchemes.token).toMatchObject({ type: 'http', scheme: 'bearer' });
  });

  it('describes every route with its permission and its responses', () => {
    expect(routes.length).toBeGreaterThan(50);
    for (const route of routes) {
      const operation = operationOf(route);
      expect(operation).toMatchObject({ summary: expect.stringMatching(/^[A-Z].+[^.]$/), tags: [expect.any(String)] });
      expect(Object.keys(operation.responses)).toContain('default');
      expect(Object.keys(operation.responses).some((status) => /^[23]\d\d$/.test(status))).toBe(true);
      if (route.isPublic) {
        expect(operation.security).toEqual([]);
        continue;
      }
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['401', '429', '503']));
      expect(operation['x-permission']).toBe(route.permission === 'any' ? undefined : route.permission);
      const keys = parameters(operation, 'header').map(({ name }: { name: string }) => name);
      expect(keys.includes('Idempotency-Key')).toBe(route.method === 'POST' && !POSTS_WITHOUT_KEY.test(route.path));
      expect(keys).toContain('X-Request-Id');
    }
  });

  it('gives every operation a unique ID and every parameter a type', () => {
    const names = operations().map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const operation of operations()) {
      for (const location of ['path', 'query', 'header']) {
        for (const { schema } of parameters(operation, location)) expect(named(schema).type).toBeDefined();
      }
    }
  });

  it('describes the query parameters of a list', () => {
    const query = parameters(document.paths['/v1/templates'].get, 'query');
    const schemas = Object.fromEntries(query.map(({ name, schema }) => [name, schema]));
    expect(schemas).toMatchObject({
      page: { type: 'integer', minimum: 1, default: 1 },
      per_page: { type: 'integer', minimum: 1, maximum: 100, default: 15 },
      sort: {
        type: 'string',
        enum: ['created_at', 'name', 'subject', 'category', 'updated_at'],
        default: 'created_at',
      },
      direction: { type: 'string', enum: ['asc', 'desc'], default: 'desc' },
      search: { type: 'string' },
      is_library: { type: 'integer', enum: [1, 0] },
    });
    expect(schemas.category).toEqual({ $ref: '#/components/schemas/TemplateCategory' });
    expect(named(schemas.category).enum).toContain('follow-up');
    expect(query.every(({ required }) => required === undefined)).toBe(true);
  });

  it('describes request bodies with their limits', () => {
    const { schemas } = document.components;
    expect(schemas.CreateTemplate).toMatchObject({
      required: ['name', 'subject', 'body'],
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 255 },
        subject: { type: 'string', maxLength: 500 },
        category: { anyOf: [{ $ref: '#/components/schemas/TemplateCategory' }, { type: 'null' }] },
        variables: { type: ['array', 'null'], items: { type: 'string' } },
        is_library: { type: ['boolean', 'null'] },
      },
    });
    expect(schemas.CreateToken.properties.permissions).toMatchObject({
      type: 'array',
      minItems: 1,
      items: { $ref: '#/components/schemas/Permission' },
    });
    expect(schemas.Permission.enum).toContain('contacts:read');
    expect(schemas.CreateEmailAccount.properties.smtp_host.description).toContain(
      'Whether it is required depends on `type`.',
    );
    expect(schemas.CreateCampaign.properties.schedule).toMatchObject({
      anyOf: [{ $ref: '#/components/schemas/Schedule' }, { type: 'null' }],
    });
    expect(schemas.CreateCampaign.properties.steps.items).toEqual({ $ref: '#/components/schemas/CreateStep' });
    const form = document.paths['/v1/contacts/import'].post.requestBody.content['multipart/form-data'];
    const formSchema = named(form.schema);
    expect(formSchema.required).toEqual(['file']);
    expect(formSchema.properties['tags[]'].items).toMatchObject({ type: 'integer' });
  });

  it('refuses unknown fields in all objects of inputs, and gives every map of arbitrary keys a type', () => {
    const objects = (schema: any, path: string): [string, any][] => {
      if (schema.readOnly) return [];
      const { properties = {}, items, anyOf = [], ...rest } = named(schema);
      const inner = [...Object.entries<any>(properties), ...[items, ...anyOf].filter(Boolean).map((one) => ['', one])];
      return [
        ...([rest.type].flat().includes('object') ? [[path, { ...rest, properties }] as [string, any]] : []),
        ...inner.flatMap(([name, one]) => objects(one, `${path}.${name}`)),
      ];
    };
    const bodies = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
      Object.values<any>(methods).flatMap(({ requestBody }) =>
        Object.values<any>(requestBody?.content ?? {}).flatMap(({ schema }) => (schema ? objects(schema, path) : [])),
      ),
    );
    expect(bodies.length).toBeGreaterThan(30);
    const recordsInsteadOfIds = /\.(tags|lists)\.\.$/;
    for (const [path, { additionalProperties }] of bodies.filter(([path]) => !recordsInsteadOfIds.test(path))) {
      expect([path, additionalProperties === false || additionalProperties?.type !== undefined]).toEqual([path, true]);
    }
    for (const { schema } of Object.values<any>(document.paths).flatMap((methods) =>
      Object.values<any>(methods).flatMap(({ responses }) =>
        Object.values<any>(responses).flatMap(({ content }) => Object.values<any>(content ?? {})),
      ),
    )) {
      expect(named(schema ?? {}).additionalProperties).not.toBe(false);
    }
  });

  it('accepts in an update what a client has read, and refuses other fields', async () => {
    const fixture = await fixtureOf(await service.client());
    const { paths } = await dereference<any>(structuredClone(document));
    const updates = Object.keys(paths).filter((path) => paths[path].put && path.includes('{id}'));
    expect(updates.length).toBeGreaterThan(8);
    const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
    for (const path of updates) {
      const ids = fixture.idsOf(path.replaceAll(/\{(\w+)\}/g, ':$1'));
      const url = path.replace('/v1', '').replaceAll(/\{(\w+)\}/g, (_, name: string) => String(ids[name]));
      const { data } = await fixture.api.get(paths[path].get ? url : url.replace(/\/\d+$/, ''));
      const record = Array.isArray(data) ? data[0] : data;
      const { schema } = paths[path].put.requestBody.content['application/json'];
      expect([path, ajv.validate(schema, record), ajv.errors]).toEqual([path, true, null]);
      expect([path, ajv.validate(schema, { ...record, colour_of_the_sky: 1 })]).toEqual([path, false]);
    }
  });

  it('describes the body of a response with its envelope', () => {
    const schemaOf = (path: string, method: string, status: number) =>
      document.paths[path][method].responses[status].content?.['application/json'].schema;
    const template = { $ref: '#/components/schemas/Template' };
    expect(schemaOf('/v1/templates/{id}', 'get', 200).properties.data).toEqual(template);
    expect(schemaOf('/v1/templates', 'get', 200)).toEqual({ $ref: '#/components/schemas/TemplatePage' });
    expect(schemaOf('/v1/contacts', 'get', 200)).toEqual({ $ref: '#/components/schemas/ContactCursorPage' });
    const page = document.components.schemas.TemplatePage;
    expect(page.required).toEqual(['data', 'links', 'meta']);
    expect(page.properties.data.items).toEqual(template);
    expect(schemaOf('/v1/contacts', 'post', 201)).toEqual({ $ref: '#/components/schemas/Contact' });
    expect(schemaOf('/v1/templates/{id}', 'delete', 204)).toBeUndefined();
    expect(schemaOf('/v1/blacklist/reasons', 'get', 200).properties.data).toMatchObject({ type: 'array' });
    expect(Object.keys(document.paths['/v1/contacts/export'].get.responses[200].content)).toEqual(['text/csv']);
  });

  it('describes every event of webhooks, with a valid example', async () => {
    const { webhooks } = await dereference(structuredClone(document));
    expect(Object.keys(webhooks)).toEqual([...EVENT_NAMES, TEST_EVENT]);
    for (const [name, { post }] of Object.entries<any>(webhooks)) {
      expect(post).toMatchObject({ tags: ['Events'], summary: expect.stringMatching(/^[A-Z].+[^.]$/), security: [] });
      expect(Object.keys(post.responses)).toContain('2XX');
      const { schema, example } = post.requestBody.content['application/json'];
      const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
      expect([name, ajv.validate(schema, example), ajv.errors]).toEqual([name, true, null]);
      expect([name, ajv.validate(schema, { ...example, event: 'another' })]).toEqual([name, false]);
      const shown = Object.keys(schema.properties.data.properties).filter((name) => name !== 'new_custom_fields');
      expect(Object.keys(example.data)).toEqual(shown);
    }
  });

  it('describes the headers that deliveries really have', () => {
    const attempt = { url: '', secret: 'whsec_', event: 'contact.created', body: '{}', delivery_id: 'id', attempt: 1 };
    const sent = Object.keys(signedHeaders(attempt, 0)).filter((name) => !/^(content-type|user-agent)$/.test(name));
    for (const { post } of Object.values<any>(document.webhooks)) {
      expect(parameters(post, 'header').map(({ name }) => name.toLowerCase())).toEqual(sent);
    }
  });

  it('joins paths that differ only in the name of a parameter', () => {
    const path = document.paths['/v1/blacklist/{id_or_email}'];
    expect(parameters(path.get, 'path')).toMatchObject([{ name: 'id_or_email', schema: { type: 'integer' } }]);
    expect(parameters(path.delete, 'path')).toMatchObject([{ name: 'id_or_email', schema: { type: 'string' } }]);
  });
});
