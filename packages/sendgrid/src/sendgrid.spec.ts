import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { LoginRefused, ProviderUnavailable } from '@outreach/mail-sessions';
import type { WrittenMail } from '@outreach/mail-writing';
import { RawTlsServer } from '../../../test/support/raw-tls-server.js';
import { SendgridStub } from '../../../test/support/sendgrid-stub.js';
import { sendThroughSendgrid } from './send-through-sendgrid.js';
import { verifySendgridKey } from './verify-key.js';

const mail: WrittenMail = {
  from: { name: 'Zoë, Sales', email: 'zoe@sender.test' },
  to: 'bob@receiver.test',
  message_id: 'abc.1@sender.test',
  subject: 'Grüße',
  html: '<p>Hello</p>',
  text: 'Hello',
  headers: {
    'List-Unsubscribe': '<https://x.test/u/1>',
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    'In-Reply-To': '<abc.0@sender.test>',
  },
};

let sendgrid: SendgridStub;
const api = () => ({ base_url: sendgrid.url, api_key: sendgrid.key });
const wrongKey = () => ({ ...api(), api_key: 'SG.wrong.key' });

beforeEach(async () => {
  sendgrid = await SendgridStub.start();
});
afterEach(() => sendgrid.stop());

describe('sendThroughSendgrid', () => {
  it('sends all parts of an email', async () => {
    expect(await sendThroughSendgrid(api(), mail)).toEqual({ kind: 'accepted', response: 'sg-1' });
    expect(sendgrid.sent).toEqual([
      {
        personalizations: [
          { to: [{ email: 'bob@receiver.test' }], custom_args: { outreach_message_id: 'abc.1@sender.test' } },
        ],
        from: mail.from,
        subject: 'Grüße',
        content: [
          { type: 'text/plain', value: 'Hello' },
          { type: 'text/html', value: '<p>Hello</p>' },
        ],
        headers: { ...mail.headers, 'Message-ID': '<abc.1@sender.test>' },
        tracking_settings: {
          click_tracking: { enable: false, enable_text: false },
          open_tracking: { enable: false },
          subscription_tracking: { enable: false },
        },
      },
    ]);
  });

  it('leaves out empty parts and reserved headers', async () => {
    const odd = { ...mail, text: '', headers: { ...mail.headers, 'Reply-To': 'x@y.test', subject: 'other' } };
    expect(await sendThroughSendgrid(api(), odd)).toMatchObject({ kind: 'accepted' });
    expect(sendgrid.sent[0]?.content).toEqual([{ type: 'text/html', value: '<p>Hello</p>' }]);
    expect(Object.keys(sendgrid.sent[0]?.headers ?? {})).toEqual([...Object.keys(mail.headers), 'Message-ID']);
  });

  it.each([
    [202, { kind: 'accepted', response: 'sg-1' }],
    [400, { kind: 'refused', permanent: true, phase: 'message', code: 400, response: '400' }],
  ])('takes the result from the status %i, whatever comes after it', async (status, result) => {
    const server = createServer((socket) =>
      socket.once('data', () => {
        socket.write(`HTTP/1.1 ${status} X\r\nX-Message-Id: sg-1\r\nContent-Length: 1000\r\n\r\n{`);
        // A response that ends before its length is an error to who waits for its body.
        if (status !== 202) socket.end();
      }),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await sendThroughSendgrid({ ...api(), base_url: `http://127.0.0.1:${port}` }, mail)).toEqual(result);
    server.close();
  });

  it.each([
    [429, false],
    [408, false],
    [500, false],
    [503, false],
    [302, false],
    [400, true],
    [413, true],
  ])('returns a refusal for the status %i (permanent: %s)', async (status, permanent) => {
    sendgrid.nextResponses.push([status, 'Not this one']);
    expect(await sendThroughSendgrid(api(), mail)).toEqual({
      kind: 'refused',
      permanent,
      phase: 'message',
      code: status,
      response: `${status} Not this one`,
    });
  });

  it.each([401, 403])('throws LoginRefused for the status %i', async (status) => {
    sendgrid.nextResponses.push([status, 'The from address does not match a verified Sender Identity.']);
    const failure = sendThroughSendgrid(api(), mail);
    await expect(failure).rejects.toThrow(LoginRefused);
    await expect(failure).rejects.toThrow('verified Sender Identity');
  });

  it('returns an uncertain result if there is no response', async () => {
    sendgrid.nextResponses.push('drop');
    expect(await sendThroughSendgrid(api(), mail)).toMatchObject({ kind: 'lost', uncertain: true });
  });

  it.each([502, 504])('returns an uncertain result for the status %i, which is of a gateway', async (status) => {
    sendgrid.nextResponses.push([status, 'Not now']);
    expect(await sendThroughSendgrid(api(), mail)).toEqual({
      kind: 'lost',
      uncertain: true,
      reason: `SendGrid responded with ${status} Not now`,
    });
  });

  it('throws ProviderUnavailable if SendGrid is not reachable', async () => {
    const unreachable = api();
    await sendgrid.stop();
    const failure = sendThroughSendgrid(unreachable, mail);
    await expect(failure).rejects.toThrow(ProviderUnavailable);
    await expect(failure).rejects.toThrow('No connection to 127.0.0.1: the connection was refused.');
  });

  describe('throws ProviderUnavailable, because nothing was sent, if', () => {
    let stop: () => unknown;
    afterEach(() => stop());
    const sendTo = (port: number) => sendThroughSendgrid({ ...api(), base_url: `https://127.0.0.1:${port}` }, mail);

    it.each<[string, (socket: Socket) => void]>([
      ['resets the connection', (socket) => socket.resetAndDestroy()],
      ['closes the connection', (socket) => socket.end()],
      ['does not speak TLS', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ])('the server %s during the TLS handshake', async (_behaviour, respond) => {
      const server = createServer((socket) => socket.on('error', () => undefined).once('data', () => respond(socket)));
      stop = () => server.close();
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      await expect(sendTo((server.address() as AddressInfo).port)).rejects.toThrow(ProviderUnavailable);
    });

    it('its certificate is not trusted', async () => {
      const server = await RawTlsServer.start(() => undefined);
      stop = () => server.stop();
      const failure = sendTo(server.port);
      await expect(failure).rejects.toThrow(ProviderUnavailable);
      await expect(failure).rejects.toThrow('The certificate of 127.0.0.1 is not valid');
      expect(server.requests).toEqual([]);
    });
  });
});

describe('verifySendgridKey', () => {
  it('accepts a key that may send mail', async () => {
    await expect(verifySendgridKey(api())).resolves.toBeUndefined();
    expect(sendgrid.sent).toEqual([]);
  });

  it('refuses a key that SendGrid does not know, without repeating it in the message', async () => {
    const failure = verifySendgridKey(wrongKey());
    await expect(failure).rejects.toThrow(LoginRefused);
    await expect(failure).rejects.toThrow('SendGrid refused the API key: 401 The provided authorization grant');
    sendgrid.nextResponses.push([401, 'Unknown key SG.wrong.key']);
    await expect(verifySendgridKey(wrongKey())).rejects.toThrow('401 Unknown key [hidden]');
  });

  it('refuses a key that may not send mail', async () => {
    sendgrid.scopes = ['user.profile.read'];
    await expect(verifySendgridKey(api())).rejects.toThrow('it lacks the permission mail.send');
  });

  it('throws ProviderUnavailable for every other failure', async () => {
    sendgrid.nextResponses.push([500, 'Oops'], 'drop');
    await expect(verifySendgridKey(api())).rejects.toThrow('SendGrid responded with 500 Oops');
    await expect(verifySendgridKey(api())).rejects.toThrow(ProviderUnavailable);
  });
});
