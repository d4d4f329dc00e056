import { RenderedTooLong, TemplateTooLarge } from '@outreach/template-language';
import { finished } from '../../../test/support/finished.js';
import { SAMPLE_CONTACT } from '../../contacts/index.js';
import { brandValues, NO_BRAND } from '../../templates/index.js';
import { compose, loadBody, type MailContext, type MailSource } from './compose.js';

const context = {
  workspace_id: 2,
  sender: { name: 'Bob', email: 'bob@sender.example' },
  message_id: 'id@sender.example',
  unsubscribe_url: 'https://mail.test/u/1',
  sender_address: 'Acme & Sons\n1 Example Street',
  brand: brandValues({ ...NO_BRAND, logo_url: 'https://cdn.example/logo.png' }, 'Bob'),
};
const message: MailSource = {
  id: 1,
  campaign_id: 7,
  enrollment_id: 3,
  step_id: 5,
  is_follow_up: false,
  to_address: null,
  message_id: null,
  contact: {
    ...SAMPLE_CONTACT,
    id: 4,
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
    company: null,
    phone: null,
    subscribed_at: '2026-01-02T03:04:05.678+00:00',
    unsubscribed_at: null,
    created_at: '2026-01-02T03:04:05.678+00:00',
    custom_fields: { city: 'Lyon', company: 'shadowed' },
  },
  subject: 'Hello',
  body: '<p>Hello</p>',
  unsubscribe_footer: false,
  language: 'en',
  track_opens: false,
  track_clicks: false,
  may_track: true,
  thread: [],
};
/** The footer of a message in English, as text. */
const FOOTER_TEXT = 'Sent by Bob\nAcme & Sons\n1 Example Street\nUnsubscribe <https://mail.test/u/1>';

const composed = async (fields: Partial<MailSource>, changes: Partial<MailContext> = {}) => {
  const source = { ...message, ...fields };
  return finished(compose(source, await loadBody(source, context.workspace_id), { ...context, ...changes }));
};

describe('compose', () => {
  it.each([
    [false, 'campaign-7:workspace-2:first:outreach'],
    [true, 'campaign-7:workspace-2:follow-up:outreach'],
  ])('names campaign, workspace and kind for the feedback loop of Google (follow-up: %s)', async (is_follow_up, id) => {
    const { headers } = await composed({ is_follow_up });
    expect(headers['Feedback-ID']).toBe(id);
    expect(headers['Feedback-ID']).toMatch(/^(?:[a-z0-9-]+:){3}[a-z]{5,15}$/);
  });

  it.each([
    ['{{ full_name }}', 'Ada Lovelace'],
    ['{{ subscribed_at }}', '2026-01-02T03:04:05.678Z'],
    ['{{ city }} {{ custom_fields.city }}', 'Lyon Lyon'],
    ['{{ company | default: "none" }}', 'none'],
    ['{{ sender.name }} {{ sender.email }}', 'Bob bob@sender.example'],
    ['{{ unsubscribe_url }}', 'https://mail.test/u/1'],
    ['{{ workspace_id }}{{ message_id }}{{ search_text }}', ''],
  ])('renders %s with the values that the API shows of the contact', async (source, expected) => {
    expect((await composed({ subject: `[${source}]` })).subject).toBe(`[${expected}]`);
    expect(await composed({ body: `<p>[${source}]</p>` })).toMatchObject({
      html: `<p>[${expected}]</p>`,
      text: `[${expected}]`,
    });
  });

  it('escapes the postal address of the workspace, and separates its lines by <br> in HTML', async () => {
    expect(await composed({ body: '<p>{{ sender_address }}</p>' })).toMatchObject({
      html: '<p>Acme &amp; Sons<br>1 Example Street</p>',
      text: 'Acme & Sons\n1 Example Street',
    });
  });

  it('shows the logo of the workspace in HTML, and its name in text and subject', async () => {
    const mail = await composed({ subject: 'From {{ brand.logo }}', body: '<p>{{ brand.logo }}</p>' });
    expect(mail.html).toMatch(
      /^<p><img src="https:\/\/cdn\.example\/logo\.png" alt="Bob" height="40" style="[^"]+"><\/p>$/,
    );
    expect([mail.subject, mail.text]).toEqual(['From Bob', 'Bob']);
  });

  it('adds an unsubscribe link at the end of the body, unless the body has one', async () => {
    const footed = await composed({ unsubscribe_footer: true, body: '<html><BODY><p>Hi</p></BODY></html>' });
    expect(footed.html).toMatch(
      /^<html><BODY><p>Hi<\/p><div .*href="https:\/\/mail\.test\/u\/1".*<\/div>\n<\/BODY><\/html>$/,
    );
    expect(footed.text).toBe(`Hi\n\n${FOOTER_TEXT}`);
    expect((await composed({ unsubscribe_footer: true, body: '<p>Hi</p>' })).html).toContain('Unsubscribe');
    const misleading = await composed({ unsubscribe_footer: true, body: '<body><p>İ</p></body><!-- </body> -->' });
    expect(misleading.html).toMatch(/^<body><p>İ<\/p><div .*>Unsubscribe<\/a><\/div>\n<\/body><!-- <\/body> -->$/);
    const own = '<p><a href="{{ unsubscribe_url }}">No more</a></p>';
    expect((await composed({ unsubscribe_footer: true, body: own })).html).not.toContain('Unsubscribe');
    expect((await composed({ body: '<p>Hi</p>' })).html).toBe('<p>Hi</p>');
  });

  it('leaves the postal address out of the footer if the body has it or the workspace has none', async () => {
    const fields = { unsubscribe_footer: true, body: '<p>{{ sender_address }}</p>' };
    const { text } = await composed(fields);
    expect(text.match(/1 Example Street/g)).toHaveLength(1);
    expect(text).toContain('Unsubscribe');
    const none = await composed({ ...fields, body: '<p>Hi</p>' }, { sender_address: '' });
    expect(none.text).toBe('Hi\n\nSent by Bob\n\nUnsubscribe <https://mail.test/u/1>');
  });

  it.each([
    ['Sent by', 'Unsubscribe', 'en', {}],
    ['Envoyé par', 'Se désinscrire', 'fr', {}],
    ['Envoyé par', 'Se désinscrire', 'en', { language: 'fr' }],
    ['Envoyé par', 'Se désinscrire', 'en', { language: 'FR_ca' }],
    ['Envoyé par', 'Se désinscrire', 'de', { locale: 'fr-FR' }],
    ['Gesendet von', 'Abmelden', 'fr', { language: 'German' }],
    ['Gesendet von', 'Abmelden', 'fr', { language: ' Allemand ' }],
    ['Enviado por', 'Darse de baja', 'en', { language: 'Español' }],
    ['Inviato da', 'Annulla l’iscrizione', 'en', { language: 'it-CH', locale: 'de' }],
    ['Verzonden door', 'Afmelden', 'en', { language: 'nl' }],
    ['Enviado por', 'Cancelar inscrição', 'en', { language: 'pt-BR' }],
    ['Verzonden door', 'Afmelden', 'nl', { language: 'ja' }],
    ['Verzonden door', 'Afmelden', 'nl', { language: '', locale: 7 }],
    ['Verzonden door', 'Afmelden', 'nl', { language: 'Frankfurt' }],
  ] as const)('has a footer with "%s" and "%s" in a campaign in %s for a contact with %j', async (...expected) => {
    const [sentBy, unsubscribe, language, custom_fields] = expected;
    const contact = { ...message.contact, custom_fields };
    const { text } = await composed({ unsubscribe_footer: true, language, contact });
    expect(text).toContain(`${sentBy} Bob\n`);
    expect(text).toContain(`\n${unsubscribe} <https://mail.test/u/1>`);
  });

  it('names the sender and the brand in the footer, escaped, and no variable of it hides a custom field', async () => {
    const brand = brandValues({ ...NO_BRAND, brand_name: 'Acme & Sons' }, 'Bob');
    const contact = { ...message.contact, custom_fields: { footer: 'own' } };
    const { html } = await composed({ unsubscribe_footer: true, body: '<p>{{ footer }}</p>', contact }, { brand });
    expect(html).toContain('>Sent by Bob, Acme &amp; Sons</div>');
    expect(html).toContain('<p>own</p>');
  });

  it('adds the tracking to the HTML after the unsubscribe link, and leaves the text as it is', async () => {
    const tracking = { redirect: (address: string) => `${address}?tracked`, ending: () => '<img>' };
    const fields = { unsubscribe_footer: true, body: '<body><a href="https://a.test">A</a></body>' };
    const { html, text } = await composed(fields, { tracking });
    expect(html).toMatch(/^<body><a href="https:\/\/a\.test\?tracked">A<\/a><div .*<\/div>\n<img><\/body>$/);
    expect(text).toBe(`A <https://a.test>\n${FOOTER_TEXT}`);
  });

  it('removes line breaks from the subject and the name of the sender', async () => {
    const sender = { name: 'Bob\r\nBcc: eve@example.com', email: 'bob@sender.example' };
    const { from, subject } = await composed({ subject: 'Hi\r\nBcc: eve@example.com' }, { sender });
    expect([from.name, subject]).toEqual(['BobBcc: eve@example.com', 'HiBcc: eve@example.com']);
  });

  it('refuses a body that exceeds the limits of templates', async () => {
    await expect(composed({ body: '{{ a }}'.repeat(501) })).rejects.toThrow(TemplateTooLarge);
    await expect(composed({ body: 'x'.repeat(256 * 1024 + 1) })).rejects.toThrow(TemplateTooLarge);
    const largest = { body: '{{ a }}'.repeat(500), unsubscribe_footer: true };
    expect((await composed(largest)).text).toMatch(/^Sent by Bob/);
  });

  it('composes the same from a body that a thread has converted as from a short one', async () => {
    const body = '<body><p>Hi {{ first_name }}</p><a href="https://a.test">A</a></body>';
    const filler = `<!-- ${'x'.repeat(100_000)} -->`;
    const tracking = { redirect: (address: string) => `${address}?tracked`, ending: () => '<img>' };
    const [short, long] = [
      await composed({ unsubscribe_footer: true, body }, { tracking }),
      await composed({ unsubscribe_footer: true, body: `${filler}${body}` }, { tracking }),
    ];
    expect(long).toEqual({ ...short, html: `${filler}${short.html}` });
  });

  it('refuses a rendered subject that is longer than 2,000 characters', async () => {
    const contact = { ...message.contact, custom_fields: { story: 'x'.repeat(1_001) } };
    await expect(composed({ contact, subject: '{{ story }}{{ story }}' })).rejects.toThrow(RenderedTooLong);
    expect((await composed({ contact, subject: '{{ story }}' })).subject).toHaveLength(1_001);
  });

  it('sets the headers of a reply to the earlier messages of the thread', async () => {
    expect((await composed({})).headers).not.toHaveProperty('References');
    expect((await composed({ thread: ['a@x', 'b@x'] })).headers).toMatchObject({
      'In-Reply-To': '<b@x>',
      References: '<a@x> <b@x>',
    });
  });
});
