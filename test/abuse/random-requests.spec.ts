import { Pool } from 'undici';
import { MessageLinks } from '../../src/sending/index.js';
import { storedRows } from '../isolation/stored-rows.js';
import { type Ids, WorkspaceFixture } from '../isolation/workspace-fixture.js';
import { useService } from '../support/service.js';
import { type DescribedApi, describedApi } from './operations.js';
import { nameOf, type PathValues, type RandomRequest, RandomRequests } from './random-requests.js';
import type { KnownIds } from './random-values.js';

/** For another seed or more requests: `ABUSE_SEED=7 ABUSE_REQUESTS=100000 npm run test:abuse`. */
const SEED = Number(process.env.ABUSE_SEED ?? 20_261_123);
const REQUESTS = Number(process.env.ABUSE_REQUESTS ?? 16_000);
/** The number of requests to one workspace. */
const PER_WORKSPACE = 500;
/** Rounds for the operations that have had no success. */
const MAX_MORE_ROUNDS = 8;
const CONCURRENCY = 6;
/** Text that is part of every record of the other workspace, and of no request. */
const MARKER = 'qv7othersqv7';
const PAGES = ['/marketplace', '/u/', '/t/', '/docs', '/oauth/'];
/**
 * No mail server is running, no random signature is valid, no random form has a mail, no application is registered at Google or
 * Microsoft, no domain is verified, and imports end before they can be cancelled.
 */
const WITHOUT_SUCCESS = [
  'POST /inbound/parse/{key}',
  'GET /oauth/connect',
  'POST /oauth/connect',
  'GET /tracking-domains/allowed',
  'GET /oauth/google/callback',
  'GET /oauth/microsoft/callback',
  'POST /v1/email-accounts/oauth/google',
  'POST /v1/email-accounts/oauth/microsoft',
  'POST /v1/email-accounts/{id}/test',
  'POST /v1/campaigns/{id}/steps/{step}/test-send',
  'POST /inbound/sendgrid/{key}',
  'POST /v1/imports/{id}/cancel',
  // Most campaigns need the only account, and few of their enrollments run.
  'POST /v1/campaigns/{id}/contacts/{contact}/move',
  'DELETE /v1/email-accounts/{id}',
  // Only in sandboxes.
  'GET /v1/sandbox/clock',
  'POST /v1/sandbox/clock',
  'GET /v1/sandbox/messages',
  'GET /v1/sandbox/messages/{id}',
];
const ERRORS: Readonly<Record<string, readonly number[]>> = {
  ValidationError: [422],
  HttpError: [400, 404, 405, 409, 413, 415, 422],
  Forbidden: [403],
  TooManyRequests: [429],
};

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Returns what is wrong with a reply, or undefined. */
function problemOf(request: RandomRequest, { status, headers, text }: Reply): string | undefined {
  if (status >= 500) return `status ${status}`;
  if (text.includes(MARKER) && !request.path.includes(MARKER)) return 'a record of another workspace';
  if (status < 400 || PAGES.some((prefix) => request.path.startsWith(prefix))) return undefined;
  if (!String(headers['content-type']).startsWith('application/json')) return `${status} is not JSON`;
  const body = JSON.parse(text) as Record<string, unknown>;
  // `test` of an email account has a form of its own for what the mail server says.
  if (status === 422 && /\/test(\?|$)/.test(request.path) && 'data' in body) return undefined;
  const isComplete =
    typeof body.message === 'string' && body.message !== '' && body.code === status && body.errors !== undefined;
  if (!isComplete || !ERRORS[String(body.error)]?.includes(status)) return `${status} without the envelope`;
  if (body.error !== 'ValidationError') return body.errors === null ? undefined : `${status} with errors`;
  return Object.keys(body.errors as object).length > 0 ? undefined : '422 without a field';
}

describe(`${REQUESTS} random requests with the seed ${SEED}`, () => {
  // No request leaves this machine: SendGrid is a closed port.
  const service = useService({ LOG_LEVEL: 'fatal', SENDGRID_BASE_URL: 'http://127.0.0.1:9' });
  let api: DescribedApi;
  let others: WorkspaceFixture;
  let pool: Pool;
  const replies: { readonly operation: string; readonly status: number }[] = [];

  beforeAll(async () => {
    api = await describedApi(service.url);
    others = await new WorkspaceFixture(await service.client(), service.database, MARKER).fill();
    pool = new Pool(service.url, { connections: CONCURRENCY });
  });
  afterAll(() => pool.close());

  /** The tokens of links to a message, and the keys of the paths for events, by path. */
  const secrets = async ({ api: client, ...fixture }: WorkspaceFixture, ids: Ids): Promise<Map<string, string[]>> => {
    const links = service.app.get(MessageLinks, { strict: false });
    const message = { workspace_id: client.workspaceId, message_id: Number(ids.message) };
    const { key } = (await client.get('/inbound')).data as { key: string };
    const last = (url: string): string => url.slice(url.lastIndexOf('/') + 1);
    const click = links.clickUrl({ ...message, link: 1, url: `https://${fixture.marker}.example/` });
    return new Map([
      ['/inbound/mail/{key}', [key]],
      ['/inbound/parse/{key}', [key]],
      ['/inbound/sendgrid/{key}', [key]],
      ['/t/o/{token}.gif', [last(links.openUrl(message)).replace('.gif', '')]],
      ['/t/c/{token}', [last(click)]],
      ['/u/{token}', [last(links.unsubscribeUrl(message))]],
    ]);
  };

  const pathValues = async (own: WorkspaceFixture): Promise<PathValues> => {
    const known = await secrets(own, own.idsOf('/v1/campaigns/:id/messages/:message'));
    const slugs = async (path: string): Promise<string[]> =>
      ((await own.api.get(path)).data as { slug: string }[]).map(({ slug }) => slug);
    const [templates, packs] = [await slugs('/marketplace/templates'), await slugs('/marketplace/packs')];
    const gallery = await (await fetch(`${service.url}/marketplace`)).text();
    const pictures = [...gallery.matchAll(/thumbnails\/([\w.-]+)/g)].map(([, name = '']) => name);
    return (path, parameter) => {
      if (known.has(path)) return { own: known.get(path) ?? [], others: [] };
      if (parameter === 'slug') return { own: path.startsWith('/marketplace/packs') ? packs : templates, others: [] };
      if (path.startsWith('/marketplace/thumbnails')) return { own: pictures, others: [] };
      // An address or ID of a contact of another workspace creates a contact here, which has the marker of the other workspace then.
      const isKey = path.includes('/contacts/by-');
      const prefix = path.slice(0, path.indexOf(`{${parameter}}`));
      const names = parameter === 'id_or_email' ? ['id', 'email'] : [parameter];
      const resources = names.map((name) => prefix.replaceAll(/\{(\w+)\}/g, ':$1') + `:${name}`);
      const of = (fixture: WorkspaceFixture): string[] =>
        resources.map((resource) => String(Object.values(fixture.idsOf(resource)).at(-1)));
      return { own: of(own), others: isKey ? [] : of(others) };
    };
  };

  const send = async (own: WorkspaceFixture, request: RandomRequest): Promise<Reply> => {
    const { operation, method, path, headers, body } = request;
    const { statusCode, ...response } = await pool.request({
      method,
      path,
      headers: { authorization: `Bearer ${own.api.token}`, ...headers },
      body: body ?? null,
    });
    const text = await response.body.text();
    replies.push({ operation, status: statusCode });
    return { status: statusCode, headers: response.headers, text };
  };

  /** Sends the requests, and returns those with a wrong reply. */
  const sendAll = async (own: WorkspaceFixture, requests: readonly RandomRequest[]): Promise<object[]> => {
    const waiting = [...requests];
    const problems: object[] = [];
    const work = async (): Promise<void> => {
      for (let request = waiting.shift(); request; request = waiting.shift()) {
        const reply = await send(own, request);
        const problem = problemOf(request, reply);
        if (problem) problems.push({ problem, request, reply: reply.text.slice(0, 500) });
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    return problems;
  };

  // PATCH does what PUT does.
  const nameIn = (operation: string): string => operation.replace(/^PATCH /, 'PUT ');
  /** The operations that no request has reached with success, of those that can have one here. */
  const unsuccessful = () => {
    const successful = new Set(replies.flatMap(({ operation, status }) => (status < 400 ? nameIn(operation) : [])));
    return api.operations.filter(
      (operation) => !successful.has(nameIn(nameOf(operation))) && !WITHOUT_SUCCESS.includes(nameOf(operation)),
    );
  };

  const round = async (number: number, operations = api.operations): Promise<object[]> => {
    const own = await new WorkspaceFixture(await service.client(), service.database, 'mine').fill();
    const ids: KnownIds = (resource) => ({ own: [own.id(resource)], others: [others.id(resource)] });
    const requests = new RandomRequests(api, ids, await pathValues(own));
    const sample = requests.sample(PER_WORKSPACE, SEED + number, operations);
    // In most rounds deletions come last, and that of a part before that of the whole, so that each of them finds its record.
    const isLast = ({ method }: RandomRequest): number => Number(method === 'DELETE' && number % 4 !== 0);
    const depth = ({ path }: RandomRequest): number => path.split('/').length;
    return sendAll(
      own,
      sample.sort((one, other) => isLast(one) - isLast(other) || isLast(one) * (depth(other) - depth(one))),
    );
  };

  it(
    'have no reply 5xx, no error without the envelope, and no effect on another workspace',
    async () => {
      const before = await storedRows(service.database, others.api.workspaceId);
      const rounds = REQUESTS / PER_WORKSPACE;
      for (let number = 0; number < rounds; number += 1) {
        expect(await round(number)).toEqual([]);
        expect(await storedRows(service.database, others.api.workspaceId)).toEqual(before);
      }
      // An operation with many fields rarely gets a request without an error: these get more.
      for (let more = 0; more < MAX_MORE_ROUNDS && unsuccessful().length > 0; more += 1)
        expect(await round(rounds + more, unsuccessful())).toEqual([]);
      expect(unsuccessful().map(nameOf)).toEqual([]);
      const count = (...statuses: number[]): number => replies.filter(({ status }) => statuses.includes(status)).length;
      expect(count(200, 201, 204)).toBeGreaterThan(REQUESTS / 5);
      expect(count(404)).toBeGreaterThan(REQUESTS / 20);
      expect(count(422)).toBeGreaterThan(REQUESTS / 20);
    },
    60_000 + 20 * REQUESTS,
  );
});
