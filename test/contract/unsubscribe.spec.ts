import { request } from 'node:http';
import { Signer } from '@outreach/keyring';
import { WorkspaceDeletion } from '../../src/app/workspace-deletion/workspace-deletion.js';
import { DomainEvents } from '../../src/platform/events/index.js';
import { Database, sql } from '../../src/platform/database/index.js';
import { MessageLinks } from '../../src/sending/index.js';
import type { ApiClient } from '../support/api-client.js';
import { Given } from '../support/given.js';
import { type TestService, useSharedService } from '../support/service.js';

const FORM = 'application/x-www-form-urlencoded';

describe('the unsubscribe page', () => {
  const service = useSharedService();
  let api: ApiClient;
  let given: Given;
  /** The IDs of the messages of each published `email.unsubscribed`. */
  let published: number[][];

  beforeAll(() => {
    published = recordUnsubscribes(service);
  });
  beforeEach(async () => {
    api = await service.client();
    given = new Given(api, service.database);
    published.length = 0;
  });

  /** Inserts a sent message. @returns it with the URL of its unsubscribe page */
  async function sentTo(contact: { id: number }) {
    const message = await given.sentMessage(contact.id);
    return { ...message, url: linkTo(message.id) };
  }

  const linkTo = (messageId: number, workspaceId = api.workspaceId, address?: string): string => {
    const links = service.app.get(MessageLinks, { strict: false });
    const ref = { workspace_id: workspaceId, message_id: messageId, ...(address !== undefined && { address }) };
    return `${service.url}${new URL(links.unsubscribeUrl(ref)).pathname}`;
  };
  /** The link in a message to a new contact, with the address that the message was sent to. */
  async function addressedLink() {
    const contact = await given.contact();
    const { id } = await given.sentMessage(contact.id);
    return { contact, url: linkTo(id, api.workspaceId, contact.email) };
  }
  const status = async (contact: { id: number }) => (await api.get(`/contacts/${contact.id}`)).data.status;
  const page = async (url: string, init: RequestInit = {}) => {
    const response = await fetch(url, { redirect: 'manual', ...init });
    return { response, status: response.status, text: await response.text() };
  };
  const press = (url: string, init: RequestInit = {}) => page(url, { method: 'POST', ...init });

  it('asks for confirmation before it changes anything', async () => {
    const contact = await given.contact({ email: 'Claire@acme.example' });
    const { url, id } = await sentTo(contact);
    const { response, text } = await page(url);
    expect(response.status).toBe(200);
    expect(text).toContain('<form method="post">');
    expect(text).toContain('<strong>c•••@acme.example</strong>');
    expect(text).not.toContain('claire');
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const head = await page(url, { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(await status(contact)).toBe('active');
    expect(await unsubscribedAt(service, id)).toBeNull();
  });

  it('loads no resources, is not cached, and sends no referrer', async () => {
    const { url } = await sentTo(await given.contact());
    for (const { response, text } of [await page(url), await press(url), await page(`${service.url}/u/unknown`)]) {
      expect(response.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      );
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('referrer-policy')).toBe('no-referrer');
      expect(response.headers.get('x-robots-tag')).toBe('noindex, nofollow');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('x-request-id')).toBeTruthy();
      expect(text).not.toMatch(/<script|<img|<link|src=|href=|url\(/);
    }
  });

  it('names the sender, the brand and its logo, and loads only images of its host', async () => {
    const account = { name: 'Nora', type: 'sendgrid', sendgrid_api_key: 'SG.key', from_email: 'nora@sender.example' };
    const { id: accountId } = (await api.post('/email-accounts', { ...account, from_name: 'Nora <Lindqvist>' })).data;
    const { url, id } = await sentTo(await given.contact());
    await service.database.query('UPDATE messages SET email_account_id = $2 WHERE id = $1', [id, accountId]);
    const english = { headers: { 'accept-language': 'en' } };
    expect((await page(url, english)).text).toContain('<header>Sender: Nora &lt;Lindqvist&gt;</header>');
    await api.put('/settings', { brand_name: 'Acme & Sons', logo_url: 'https://cdn.example:8443/logo.png?a&b' });
    for (const { response, text } of [await page(url, english), await press(url, english)]) {
      expect(text).toMatch(
        /<header><img class="logo" src="https:\/\/cdn\.example:8443\/logo\.png\?a&amp;b" alt="" \/>Sender: Nora &lt;Lindqvist&gt;, Acme &amp; Sons<\/header>/,
      );
      expect(response.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src https:\/\/cdn\.example:8443; form-action 'self'; /,
      );
    }
    const refused = await press(url, { headers: { 'content-type': FORM }, body: 'tracking=refuse' });
    expect(refused.text).toContain('Acme &amp; Sons</header>');
    await api.put('/settings', { logo_url: null });
    await service.database.query('UPDATE messages SET email_account_id = NULL WHERE id = $1', [id]);
    const alone = await page(url, { headers: { 'accept-language': 'fr' } });
    expect(alone.text).toContain('<header>Expéditeur\u00a0: Acme &amp; Sons</header>');
    expect(alone.response.headers.get('content-security-policy')).not.toContain('img-src');
  });

  it('is shown in the language of the Accept-Language header', async () => {
    const { url } = await sentTo(await given.contact());
    const inLanguage = async (language: string) => (await page(url, { headers: { 'accept-language': language } })).text;
    for (const french of ['fr', 'fr-CA,en;q=0.5', 'ja, en;q=0.4, fr;q=0.7']) {
      expect(await inLanguage(french)).toMatch(/<html lang="fr">[^]*Me désinscrire/);
    }
    for (const english of ['en-GB', 'ja', '*', '', 'fr;q=0, en', ';;;=,']) {
      expect(await inLanguage(english)).toMatch(/<html lang="en">[^]*Unsubscribe/);
    }
    expect((await press(url, { headers: { 'accept-language': 'fr' } })).text).toContain('Désinscription confirmée');
  });

  it.each([
    ['de', 'Abmelden', 'Sie sind abgemeldet', 'Dieser Link funktioniert nicht'],
    ['es', 'Darme de baja', 'Se ha dado de baja', 'Este enlace no funciona'],
    ['it', 'Annulla l’iscrizione', 'Iscrizione annullata', 'Questo link non funziona'],
    ['nl', 'Afmelden', 'U bent afgemeld', 'Deze link werkt niet'],
    ['pt', 'Cancelar inscrição', 'Inscrição cancelada', 'Este link não funciona'],
  ])('is shown in the language of the browser, of the contact and of the campaign: %s', async (language, ...texts) => {
    const [button, done, failure] = texts;
    const { url, id, campaign } = await sentTo(await given.contact());
    const inLanguage = { headers: { 'accept-language': `${language}-XX, en;q=0.5` } };
    const isIn = expect.stringMatching(new RegExp(`<html lang="${language}">[^]*<button type="submit">${button}<`));
    expect((await page(url, inLanguage)).text).toEqual(isIn);
    expect((await press(url, inLanguage)).text).toContain(done);
    expect((await page(url.slice(0, -3), inLanguage)).text).toContain(failure);
    await service.database.query('UPDATE campaigns SET language = $2 WHERE id = $1', [campaign.id, language]);
    expect((await page(url, { headers: { 'accept-language': '*' } })).text).toEqual(isIn);
    expect((await page(url, { headers: { 'accept-language': 'en' } })).text).toContain('<html lang="en">');
    await service.database.query(
      `UPDATE contacts SET custom_fields = $2 WHERE id = (SELECT contact_id FROM messages WHERE id = $1)`,
      [id, JSON.stringify({ locale: `${language}_XX` })],
    );
    expect((await page(url, { headers: { 'accept-language': 'en' } })).text).toEqual(isIn);
  });

  it('unsubscribes the contact when its button is pressed, ends the enrollments and counts for the message', async () => {
    const contact = await given.contact();
    const { url, campaign } = await sentTo(contact);
    const { status: code, text } = await press(url, { headers: { 'content-type': FORM }, body: '' });
    expect(code).toBe(200);
    expect(text).toContain('You are unsubscribed');
    const { data } = await api.get(`/contacts/${contact.id}`);
    expect(data).toMatchObject({ status: 'unsubscribed', unsubscribed_at: expect.any(String) });
    const enrolled = await api.get(`/campaigns/${campaign.id}/contacts`);
    expect(enrolled.data).toMatchObject([{ status: 'unsubscribed' }]);
    const stats = await api.get(`/campaigns/${campaign.id}/stats`);
    expect(stats.data).toMatchObject({ messages: { sent: 1, unsubscribed: 1 }, enrollments: { unsubscribed: 1 } });
  });

  it('publishes one event, however often the button is pressed', async () => {
    const contact = await given.contact();
    const { url, id } = await sentTo(contact);
    const responses = await Promise.all([press(url), press(url), press(url)]);
    expect(responses.map((response) => response.status)).toEqual([200, 200, 200]);
    const [first, dates] = [await unsubscribedAt(service, id), (await api.get(`/contacts/${contact.id}`)).data];
    expect((await press(url)).text).toContain('You are unsubscribed');
    expect(await unsubscribedAt(service, id)).toEqual(first);
    expect((await api.get(`/contacts/${contact.id}`)).data).toEqual(dates);
    expect(published).toEqual([[id]]);
  });

  it('confirms it to a contact that complained, which stays complained', async () => {
    const contact = await given.contact();
    const { url, id } = await sentTo(contact);
    await service.database.query(`UPDATE contacts SET status = 'complained', unsubscribed_at = now() WHERE id = $1`, [
      contact.id,
    ]);
    expect((await press(url)).text).toContain('You are unsubscribed');
    expect((await press(url, { headers: { 'content-type': FORM }, body: 'List-Unsubscribe=One-Click' })).status).toBe(
      200,
    );
    expect(await status(contact)).toBe('complained');
    expect(await unsubscribedAt(service, id)).toBeInstanceOf(Date);
    expect((await api.post(`/contacts/${contact.id}/resubscribe`)).status).toBe(422);
  });

  it('unsubscribes a contact again that was resubscribed', async () => {
    const contact = await given.contact();
    const { url, id } = await sentTo(contact);
    await press(url);
    expect((await api.post(`/contacts/${contact.id}/resubscribe`)).status).toBe(200);
    await press(url);
    expect(await status(contact)).toBe('unsubscribed');
    expect(published).toEqual([[id], [id]]);
  });

  it.each<[string, RequestInit]>([
    ['one-click as a form (RFC 8058)', { headers: { 'content-type': FORM }, body: 'List-Unsubscribe=One-Click' }],
    ['one-click as multipart', { body: oneClickForm() }],
    ['no body', {}],
    ['an invalid form', { headers: { 'content-type': 'multipart/form-data' }, body: 'x' }],
    ['invalid JSON', { headers: { 'content-type': 'application/json' }, body: '{"' }],
    [
      'any other media type',
      { headers: { 'content-type': 'image/png', authorization: 'Bearer x' }, body: 'x'.repeat(2e6) },
    ],
  ])('unsubscribes by a POST with %s', async (_, init) => {
    const contact = await given.contact();
    const { url } = await sentTo(contact);
    expect((await press(url, init)).status).toBe(200);
    expect(await status(contact)).toBe('unsubscribed');
  });

  it('unsubscribes by a POST without any media type', async () => {
    const contact = await given.contact();
    const { url } = await sentTo(contact);
    const code = await new Promise((resolve, reject) => {
      const call = request(url, { method: 'POST', headers: { 'content-length': 1 } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      call.on('error', reject).end('x');
    });
    expect(code).toBe(200);
    expect(await status(contact)).toBe('unsubscribed');
  });

  it('is an error page with the status 404 for invalid tokens', async () => {
    const contact = await given.contact();
    const { id, url } = await sentTo(contact);
    const addressed = linkTo(id, api.workspaceId, contact.email);
    const signer = service.app.get(Signer, { strict: false });
    const tokens = [
      'x',
      'undefined',
      `${new URL(url).pathname.slice(3)}A`,
      new URL(url).pathname.slice(3, -1),
      signer.signIds('message-id', [api.workspaceId, id]),
      signer.signIds('unsubscribe', [api.workspaceId]),
      signer.signIds('unsubscribe', [api.workspaceId, id, 1]),
      '%00',
      '🙂',
      'x'.repeat(5000),
      `${new URL(addressed).pathname.slice(3)}A`,
      new URL(addressed).pathname.slice(3, -1),
    ];
    for (const token of tokens) {
      for (const response of [await page(`${service.url}/u/${token}`), await press(`${service.url}/u/${token}`)]) {
        expect(response).toMatchObject({
          status: 404,
          text: expect.stringMatching(/^<!doctype html>[^]*link does not work/),
        });
      }
    }
    expect(await status(contact)).toBe('active');
  });

  it('unsubscribes the address of a contact that was deleted', async () => {
    const { contact, url } = await addressedLink();
    await api.delete(`/contacts/${contact.id}`);
    const { status: code, text } = await page(url);
    expect(code).toBe(200);
    expect(text).toContain(`<strong>${contact.email[0]}•••@example.com</strong>`);
    const before = await given.contact({ email: contact.email });
    expect(before.status).toBe('active');
    await api.delete(`/contacts/${before.id}`);
    for (let time = 0; time < 2; time += 1) expect((await press(url)).text).toContain('You are unsubscribed');
    const after = await given.contact({ email: contact.email });
    expect(after).toMatchObject({ status: 'unsubscribed', unsubscribed_at: expect.any(String) });
  });

  it('unsubscribes the contact that was created again with the address of a deleted one', async () => {
    const { contact, url } = await addressedLink();
    await api.delete(`/contacts/${contact.id}`);
    const again = await given.contact({ email: contact.email });
    await press(url);
    expect(await status(again)).toBe('unsubscribed');
    await api.post(`/contacts/${again.id}/resubscribe`);
    await api.delete(`/contacts/${again.id}`);
    expect(await status(await given.contact({ email: contact.email }))).toBe('active');
  });

  it('unsubscribes a contact that got another address, and the address that the message was sent to', async () => {
    const { contact, url } = await addressedLink();
    await api.put(`/contacts/${contact.id}`, { email: `new-${contact.email.replace('example.com', 'new.example')}` });
    expect((await page(url)).text).toContain(`<strong>${contact.email[0]}•••@example.com</strong>`);
    expect((await press(url)).status).toBe(200);
    expect(await status(contact)).toBe('unsubscribed');
    expect(await status(await given.contact({ email: contact.email }))).toBe('unsubscribed');
  });

  it('remembers an address whose contact is deleted at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { contact, url } = await addressedLink();
      const [deleted, pressed] = await Promise.all([api.delete(`/contacts/${contact.id}`), press(url)]);
      expect([deleted.status, pressed.status]).toEqual([204, 200]);
      expect(await status(await given.contact({ email: contact.email }))).toBe('unsubscribed');
    }
  });

  it('returns 404 for links of a deleted workspace, and stores nothing', async () => {
    const { url } = await addressedLink();
    await new WorkspaceDeletion(service.app.get(Database)).delete(api.workspaceId);
    expect([(await page(url)).status, (await press(url)).status]).toEqual([404, 404]);
    const stored = await service.database.query('SELECT 1 FROM contact_refusals WHERE workspace_id = $1', [
      api.workspaceId,
    ]);
    expect(stored).toEqual([]);
  });

  it('returns 404 if the message does not exist in the workspace, or its contact was deleted and the link is of an earlier version', async () => {
    const contact = await given.contact();
    const { id, url } = await sentTo(contact);
    const other = await service.client();
    for (const link of [linkTo(id, other.workspaceId), linkTo(id, 999_999), linkTo(999_999)]) {
      expect([(await page(link)).status, (await press(link)).status]).toEqual([404, 404]);
    }
    expect(await status(contact)).toBe('active');
    await api.delete(`/contacts/${contact.id}`);
    expect([(await page(url)).status, (await press(url)).status]).toEqual([404, 404]);
  });

  it('escapes the address', async () => {
    const { url } = await sentTo(await given.contact({ email: "&'{}@acme.example" }));
    expect((await page(url)).text).toContain('<strong>&amp;•••@acme.example</strong>');
  });

  it('returns 405 for methods other than GET, HEAD and POST', async () => {
    const { url } = await sentTo(await given.contact());
    const { response } = await page(url, { method: 'PUT' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD, POST');
  });
});

function oneClickForm(): FormData {
  const form = new FormData();
  form.set('List-Unsubscribe', 'One-Click');
  return form;
}

async function unsubscribedAt(service: TestService, messageId: number): Promise<Date | null | undefined> {
  const rows = await service.database.query<{ unsubscribed_at: Date | null }>(
    'SELECT unsubscribed_at FROM all_messages WHERE id = $1',
    [messageId],
  );
  return rows[0]?.unsubscribed_at;
}

function recordUnsubscribes(service: TestService): number[][] {
  const published: number[][] = [];
  const events = service.app.get(DomainEvents, { strict: false });
  const publish = events.publish.bind(events);
  events.publish = async (scope, name, payload) => {
    if (name === 'contact.unsubscribed' && 'through' in payload && payload.through) {
      const rows = await scope.query<{ id: number }>(
        sql`SELECT id FROM all_messages WHERE workspace_id = ${scope} AND id IN (${payload.through})`,
      );
      published.push(rows.map((row) => row.id));
    }
    await publish(scope, name, payload);
  };
  return published;
}
