import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { ApiClient, type ApiResponse, parseResponse } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { ServiceProcess } from '../support/service-process.js';
import { useService } from '../support/service.js';

const OUTREACH_MODULES = join(import.meta.dirname, '../support/pigeon-post/index.mjs');
const TOKEN = 'GB-17-1815';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const pigeon_stamp = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
const ACCOUNT = {
  ...{ name: 'Pigeon', type: 'pigeon', from_email: 'loft@sender.example', from_name: 'Loft' },
  ...{ pigeon_token: TOKEN, pigeon_stamp },
};

interface Letter {
  readonly token: string;
  readonly to: string;
  readonly letter: string;
}

describe('a mail provider that an extension module adds', () => {
  const service = useService();
  const letters: Letter[] = [];
  /** The next response of the loft, if it is not that it accepts a letter. */
  let refusal: readonly [code: number, text: string] | undefined;
  let loft: Server;
  let running: ServiceProcess;
  let api: ApiClient;
  let given: Given;

  beforeAll(async () => {
    loft = createServer((request, response) => {
      void (async () => {
        const letter = (await json(request)) as Letter;
        const [code, text] = letter.token === TOKEN ? (refusal ?? [202, 'flown']) : [401, ''];
        if (code === 202 && request.url === '/letters') letters.push(letter);
        response.writeHead(code).end(text);
      })();
    }).listen(0, '127.0.0.1');
    await once(loft, 'listening');
    const LOFT_URL = `http://127.0.0.1:${(loft.address() as AddressInfo).port}`;
    running = await ServiceProcess.startApi(service, { ROLE: 'all', LOG_LEVEL: 'info', OUTREACH_MODULES, LOFT_URL });
  });
  afterAll(async () => {
    await running.stop();
    loft.close();
  });
  beforeEach(async () => {
    refusal = undefined;
    const { token, workspaceId } = await service.client();
    api = new ApiClient(running.url, token, workspaceId);
    given = new Given(api, service.database);
  });

  /** Requests about accounts of a type that the generated reference does not describe. */
  async function request(method: string, path: string, body?: object): Promise<ApiResponse> {
    const headers = { authorization: `Bearer ${api.token}`, 'content-type': 'application/json' };
    const response = await fetch(`${running.url}/v1${path}`, {
      ...{ method, headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return parseResponse(response);
  }

  const created = async (): Promise<number> => (await request('POST', '/email-accounts', ACCOUNT)).data.id;

  /** Sends the messages of a campaign to one contact. */
  async function sendTo(email: string, account: number) {
    const { id } = await given.contact({ email });
    const campaign = await given.running([id], { email_account_ids: [account] });
    const message = async () => (await api.get(`/campaigns/${campaign.id}/messages`)).data[0];
    return { id, message };
  }

  it('has accounts with inputs of its own, which are validated, and ignored for others', async () => {
    const { status, body } = await request('POST', '/email-accounts', { ...ACCOUNT, pigeon_token: 'x'.repeat(21) });
    expect([status, body.errors]).toEqual([
      422,
      { pigeon_token: ['pigeon_token must not be longer than 20 characters'] },
    ]);
    const { errors } = (await request('POST', '/email-accounts', { ...ACCOUNT, pigeon_token: undefined })).body;
    expect(Object.keys(errors)).toEqual(['pigeon_token']);
    const { errors: unknown } = (await request('POST', '/email-accounts', { ...ACCOUNT, type: 'dove' })).body;
    expect(unknown.type[0]).toContain('smtp, sendgrid, pigeon');
    const id = await created();
    expect(
      (await request('PUT', `/email-accounts/${id}`, { pigeon_token: 7, sendgrid_api_key: 7 })).body.errors,
    ).toEqual({
      pigeon_token: ['pigeon_token must be a string'],
    });
    const renamed = await request('PUT', `/email-accounts/${id}`, { name: 'Coo' });
    expect([renamed.status, renamed.data.name, renamed.data.type]).toEqual([200, 'Coo', 'pigeon']);
  });

  it('signs its messages itself, so its accounts have no DKIM key', async () => {
    const { body } = await request('POST', '/email-accounts', { ...ACCOUNT, dkim_selector: 's' });
    expect(body.errors).toEqual({ dkim_selector: ['Pigeon Post signs the messages of its accounts itself.'] });
  });

  it('stores its secret encrypted, and neither shows nor logs it', async () => {
    const { status, body } = await request('POST', '/email-accounts', ACCOUNT);
    expect(status).toBe(201);
    expect(JSON.stringify(body)).not.toContain(TOKEN);
    const [stored] = await service.database.query('SELECT * FROM email_accounts WHERE id = $1', [body.data.id]);
    expect(stored).toMatchObject({ pigeon_stamp, pigeon_token_encrypted: expect.any(String) });
    expect(JSON.stringify(stored)).not.toContain(TOKEN);
    expect(running.errorOutput).toMatch(/"pigeon_token":"\[hidden\]".*a pigeon/);
    expect(running.errorOutput).not.toContain('GB-17');
  });

  it('is tested by its login', async () => {
    const id = await created();
    const test = async () => (await request('POST', `/email-accounts/${id}/test`)).data;
    expect(await test()).toEqual({ success: true, message: 'The pigeon is at home.' });
    await request('PUT', `/email-accounts/${id}`, { pigeon_token: 'GB-18' });
    expect(await test()).toEqual({ success: false, message: 'Pigeon Post does not know the token' });
  });

  it('sends the messages of a campaign, and its events say what has become of them', async () => {
    const account = await created();
    const { id, message } = await sendTo('anna@recipient.example', account);
    await eventually(async () => expect(await message()).toMatchObject({ status: 'sent' }));
    const sent = letters.find(({ to }) => to === 'anna@recipient.example');
    const { pigeon_url } = (await request('GET', '/inbound')).data;
    const url = pigeon_url.replace('http://outreach.test', running.url);
    const body = JSON.stringify([{ flight: 'hawk', letter: sent?.letter, at: Date.now() }]);
    const post = (signature: Buffer) =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-pigeon-stamp': signature.toString('base64') },
        body,
      }).then(parseResponse);
    const forged = await post(Buffer.alloc(64));
    expect([forged.status, forged.body.reason]).toEqual([403, 'invalid_signature']);
    expect(forged.body.message).toContain('pigeon_stamp');
    expect((await post(sign(null, Buffer.from(body), privateKey))).data).toEqual({ matched: 1 });
    await eventually(async () => expect((await api.get(`/contacts/${id}`)).data.status).toBe('bounced'));
  });

  it('has its refusals classified by its own rules', async () => {
    refusal = [503, 'The pigeon is tired'];
    const account = await created();
    const { message } = await sendTo('ben@recipient.example', account);
    await eventually(async () => expect(await message()).toMatchObject({ status: 'queued', reason: 'provider_limit' }));
    expect((await request('GET', `/email-accounts/${account}`)).data.limited_until).not.toBeNull();
  });

  it('is simulated in sandboxes', async () => {
    const { token, workspaceId } = await service.sandbox();
    api = new ApiClient(running.url, token, workspaceId);
    given = new Given(api, service.database);
    const { id, message } = await sendTo('cleo+bounced@recipient.example', await created());
    await eventually(async () => expect(await message()).toMatchObject({ status: 'sent' }));
    await api.post('/sandbox/clock', { advance_seconds: 10 });
    await eventually(async () => expect((await api.get(`/contacts/${id}`)).data.status).toBe('bounced'));
    expect(letters.map(({ to }) => to)).not.toContain('cleo+bounced@recipient.example');
  });

  it('is described by the API reference of the process', async () => {
    const { components, paths } = (await parseResponse(await fetch(`${running.url}/openapi.json`))).body;
    const { CreateEmailAccount, UpdateEmailAccount, EmailAccountType, InboundAddresses } = components.schemas;
    expect(CreateEmailAccount.properties.pigeon_token).toMatchObject({ type: 'string', maxLength: 20 });
    expect(CreateEmailAccount.properties.type.enum).toEqual(['smtp', 'sendgrid', 'pigeon']);
    expect(UpdateEmailAccount.properties).toHaveProperty('pigeon_stamp');
    expect(EmailAccountType.enum).toContain('pigeon');
    expect(InboundAddresses.properties).toHaveProperty('pigeon_url');
    expect(paths['/inbound/pigeon/{key}'].post.operationId).toBe('receivePigeonPostEvents');
  });

  it('is needed by every process while it has accounts', async () => {
    await created();
    await expect(ServiceProcess.startApi(service)).rejects.toThrow(
      'There are email accounts of the type pigeon, but OUTREACH_MODULES loads no such provider.',
    );
  });
});
