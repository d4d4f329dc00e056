import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { isSignedByAny, isWebhookKey, MAX_TRIED_KEYS, type SignedEvents } from './webhook-signature.js';

const base64 = (key: KeyObject): string => key.export({ format: 'der', type: 'spki' }).toString('base64');
const pair = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve });

const isSignedBy = (key: string, events: SignedEvents) => isSignedByAny([key], events);

/** From SendGrid's own examples (github.com/sendgrid, helpers for the event webhook). */
const EXAMPLE = {
  key: 'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE83T4O/n84iotIvIW4mdBgQ/7dAfSmpqIM8kF9mN1flpVKS3GRqe62gw+2fNNRaINXvVpiglSI8eNEc6wEA3F+g==',
  signature: 'MEUCIGHQVtGj+Y3LkG9fLcxf3qfI10QysgDWmMOVmxG0u6ZUAiEAyBiXDWzM+uOe5W0JuG+luQAbPIqHh89M15TluLtEZtM=',
  timestamp: '1600112502',
  body: Buffer.from(
    `${JSON.stringify([
      {
        email: 'hello@world.com',
        event: 'dropped',
        reason: 'Bounced Address',
        sg_event_id: 'ZHJvcC0xMDk5NDkxOS1MUnpYbF9OSFN0T0doUTRrb2ZTbV9BLTA',
        sg_message_id: 'LRzXl_NHStOGhQ4kofSm_A.filterdrecv-p3mdw1-756b745b58-kmzbl-18-5F5FC76C-9.0',
        'smtp-id': '<LRzXl_NHStOGhQ4kofSm_A@ismtpd0039p1iad1.sendgrid.net>',
        timestamp: 1600112492,
      },
    ])}\r\n`,
  ),
};

describe('the signature of SendGrid events', () => {
  it("is valid for SendGrid's own example", async () => {
    expect(await isSignedBy(EXAMPLE.key, EXAMPLE)).toBe(true);
  });

  it('is not valid if anything was changed, or if it is not a signature', async () => {
    const wrong = [
      { ...EXAMPLE, timestamp: '1600112503' },
      { ...EXAMPLE, body: Buffer.from('[]') },
      { ...EXAMPLE, body: Buffer.alloc(0) },
      { ...EXAMPLE, signature: '' },
      { ...EXAMPLE, signature: 'AAAA' },
      { ...EXAMPLE, signature: '🙂' },
      { ...EXAMPLE, signature: `MEUC${'A'.repeat(5000)}` },
    ];
    for (const events of wrong) expect(await isSignedBy(EXAMPLE.key, events)).toBe(false);
    expect(await isSignedBy(base64(pair('prime256v1').publicKey), EXAMPLE)).toBe(false);
    expect(await isSignedBy('no key', EXAMPLE)).toBe(false);
  });

  it('is valid for events that were signed with the private key', async () => {
    const { publicKey, privateKey } = pair('prime256v1');
    const [timestamp, body] = ['1', Buffer.from('[{"event":"processed"}]\r\n')];
    const signature = sign('sha256', Buffer.concat([Buffer.from(timestamp), body]), privateKey).toString('base64');
    expect(await isSignedBy(base64(publicKey), { signature, timestamp, body })).toBe(true);
  });

  it('is verified with the first ten keys at most', async () => {
    const others = Array.from({ length: MAX_TRIED_KEYS }, () => base64(pair('prime256v1').publicKey));
    const { publicKey, privateKey } = pair('prime256v1');
    const [timestamp, body] = ['1', Buffer.from('[]')];
    const signature = sign('sha256', Buffer.concat([Buffer.from(timestamp), body]), privateKey).toString('base64');
    const events = { signature, timestamp, body };
    const last = [...others, base64(publicKey)];
    expect(await isSignedByAny(last, events)).toBe(false);
    expect(await isSignedByAny(last.slice(1), events)).toBe(true);
    expect(await isSignedByAny(last.slice(2), events)).toBe(true);
  });

  it('is verified by P-256 public keys only', () => {
    expect(isWebhookKey(EXAMPLE.key)).toBe(true);
    const { privateKey } = pair('prime256v1');
    const others = [
      base64(pair('secp256k1').publicKey),
      base64(pair('secp384r1').publicKey),
      base64(generateKeyPairSync('ed25519').publicKey),
      privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
      EXAMPLE.key.slice(0, -8),
      `-----BEGIN PUBLIC KEY-----\n${EXAMPLE.key}\n-----END PUBLIC KEY-----`,
      'AAAA',
      '',
    ];
    for (const text of others) expect([text, isWebhookKey(text)]).toEqual([text, false]);
  });
});
