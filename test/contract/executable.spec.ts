import { CommandRunner, freePort, OutreachProcess } from '../support/command-line.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

describe('the built executable', () => {
  let database: TestDatabase;
  let server: OutreachProcess;
  let env: Record<string, string>;
  const commands = new CommandRunner();

  beforeAll(async () => {
    database = await createTestDatabase();
    const ENCRYPTION_KEY = 'a key that only tests use';
    env = { DATABASE_URL: database.url, ENCRYPTION_KEY, PORT: await freePort(), LOG_LEVEL: 'error' };
    server = await OutreachProcess.serve(env);
  });
  afterAll(async () => {
    commands.stop();
    await server.stop();
    await database.drop();
  });

  const json = async (...args: string[]) => JSON.parse((await commands.run([...args, '--json'], env)).stdout);

  it('responds to errors of the database as the code in the tests does: a duplicate is 409 or 422, not 500', async () => {
    const { id } = await json('workspace', 'create', '--name', 'Acme');
    const { token } = await json('token', 'create', '--workspace', `${id}`, '--name', 'x');
    const post = async (path: string, body: object): Promise<number> => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const url = `http://127.0.0.1:${env.PORT}/v1${path}`;
      return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).status;
    };
    const twice = async (path: string, body: object) => [await post(path, body), await post(path, body)];
    expect(await twice('/contacts', { email: 'ada@example.com' })).toEqual([201, 409]);
    expect(await twice('/tags', { name: 'vip' })).toEqual([201, 409]);
    expect(await twice('/blacklist', { email: 'ada@example.com' })).toEqual([201, 422]);
    expect(server.stderr).toBe('');
  });

  it('contains the program and the document of the API reference', async () => {
    const url = `http://127.0.0.1:${env.PORT}/docs`;
    expect(await (await fetch(`${url}/renderer.js`)).text()).toContain('createApiReference');
    expect(await (await fetch(`${url}/openapi.json`)).json()).toMatchObject({ info: { title: 'Outreach API' } });
    expect(server.stderr).toBe('');
  });
});
