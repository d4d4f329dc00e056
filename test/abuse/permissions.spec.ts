import { PERMISSIONS } from '../../src/workspaces/index.js';
import type { ApiClient } from '../support/api-client.js';
import { UNKNOWN_ID } from '../support/expected.js';
import { useService } from '../support/service.js';
import { type ApiOperation, describedApi } from './operations.js';

/** A path in which every parameter is the ID of no record, so that no call changes a record of the caller. */
const pathOf = ({ path }: ApiOperation): string => path.replace(/^\/v1/, '').replaceAll(/\{\w+\}/g, String(UNKNOWN_ID));

describe('the permissions of every operation in the OpenAPI document', () => {
  const service = useService();
  let operations: readonly ApiOperation[];
  beforeAll(async () => {
    const described = await describedApi(service.url);
    operations = described.operations.filter(({ path }) => path.startsWith('/v1/'));
    expect(operations.length).toBeGreaterThan(80);
  });

  const call = (api: ApiClient, operation: ApiOperation, headers = {}) =>
    api.call(operation.method, pathOf(operation), operation.body && {}, headers);

  it('use every permission that a token can have', () => {
    const used = new Set(operations.map(({ permission }) => permission));
    expect(PERMISSIONS.filter((permission) => !used.has(permission))).toEqual([]);
    expect([...used].filter((permission) => permission === undefined)).toEqual([]);
  });

  it.each(PERMISSIONS)(
    'let a token with only %s call the operations that name it, and no others',
    async (permission) => {
      // In a sandbox, which has all operations.
      const api = await service.sandbox([permission]);
      for (const operation of operations) {
        const { status, body } = await call(api, operation);
        const isAllowed = operation.permission === permission || operation.permission === 'any';
        const name = `${operation.method} ${operation.path}`;
        if (isAllowed) expect([name, [200, 201, 404, 415, 422].includes(status), status]).toEqual([name, true, status]);
        else expect([name, status, Object.keys(body as object)]).toEqual([name, 403, ['error', 'message']]);
      }
    },
  );

  it.each([
    ['no token', ''],
    ['an unknown token', `Bearer out_${'x'.repeat(43)}`],
    ['a token of another scheme', 'Basic b3V0OmE='],
    ['two tokens', 'Bearer out_a, Bearer out_b'],
    ['a very long token', `Bearer out_${'x'.repeat(8_000)}`],
  ])('refuse %s with 401', async (_, authorization) => {
    const api = await service.client();
    for (const operation of operations) {
      const { status, body } = await call(api, operation, { authorization });
      const name = `${operation.method} ${operation.path}`;
      expect([name, status, Object.keys(body as object)]).toEqual([name, 401, ['error', 'message']]);
    }
  });
});
