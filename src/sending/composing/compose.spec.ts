import { SAMPLE_CONTACT } from '../../contacts/index.js';
import { TemplateTooLarge } from '../../templates/index.js';
import { compose, type MailSource } from './compose.js';

const context = {
  workspace_id: 2,
  sender: { name: 'Bob', email: 'bob@sender.example' },
  message_id: 'id@sender.example',
  unsubscribe_url: 'https://mail.test/u/1',
  sender_address: 'Acme & Sons\n1 Example Street',
};
const message: MailSource = {
  id: 1,
  enrollment_id: 3,
  step_id: 5,
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
  track_opens: false,
  track_clicks: false,
  thread: [],
};
const composed = (fields: Partial<MailSource>) => compose({ ...message, ...fields }, context);

describe('compose', () => {
  it.each([
    ['{{ full_name }}', 'Ada Lovelace'],
    ['{{ subscribed_at }}', '2026-01-02T03:04:05.678Z'],
    ['{{ city }} {{ custom_fields.city }}', 'Lyon Lyon'],
    ['{{ company | default: "none" }}', 'none'],
    ['{{ sender.name }} {{ sender.email }}', 'Bob bob@sender.example'],
    ['{{ unsubscribe_url }}', 'https://mail.test/u/1'],
    ['{{ workspace_id }}{{ message_id }}{{ search_text }}', ''],
  ])('renders %s with the values that the API shows of the contact', (source, expected) => {
    expect(composed({ subject: `[${source}]` }).subject).toBe(`[${expected}]`);
    expect(composed({ body: `<p>[${source}]</p>` })).toMatchObject({
      html: `<p>[${expected}]</p>`,
      text: `[${expected}]`,
    });
  });

  it('escapes the postal address of the workspace, and separates its lines by <br> in HTML', () => {
    expect(composed({ body: '<p>{{ sender_address }}</p>' })).toMatchObject({
      html: '<p>Acme &amp; Sons<br>1 Example Street</p>',
      text: 'Acme & Sons\n1 Example Street',
    });
  });

  it('adds an unsubscribe link at the end of the body, unless the body has one', () => {
    const footed = composed({ unsubscribe_footer: true, body: '<html><BODY><p>Hi</p></BODY></html>' });
    expect(footed.html).toMatch(
      /^<html><BODY><p>Hi<\/p><p .*href="https:\/\/mail\.test\/u\/1".*<\/p>\n<\/BODY><\/html>$/,
    );
    expect(footed.text).toBe('Hi\n\nUnsubscribe <https://mail.test/u/1>');
    expect(composed({ unsubscribe_footer: true, body: '<p>Hi</p>' }).html).toContain('Unsubscribe');
    const misleading = composed({ unsubscribe_footer: true, body: '<body><p>İ</p></body><!-- </body> -->' });
    expect(misleading.html).toMatch(/^<body><p>İ<\/p><p .*>Unsubscribe<\/a><\/p>\n<\/body><!-- <\/body> -->$/);
    const own = '<p><a href="{{ unsubscribe_url }}">No more</a></p>';
    expect(composed({ unsubscribe_footer: true, body: own }).html).not.toContain('Unsubscribe');
    expect(composed({ body: '<p>Hi</p>' }).html).toBe('<p>Hi</p>');
  });

  it('adds the tracking to the HTML after the unsubscribe link, and leaves the text as it is', () => {
    const tracking = { redirect: (address: string) => `${address}?tracked`, ending: () => '<img>' };
    const fields = { ...message, unsubscribe_footer: true, body: '<body><a href="https://a.test">A</a></body>' };
    const { html, text } = compose(fields, { ...context, tracking });
    expect(html).toMatch(/^<body><a href="https:\/\/a\.test\?tracked">A<\/a><p .*<\/p>\n<img><\/body>$/);
    expect(text).toBe('A <https://a.test>\n\nUnsubscribe <https://mail.test/u/1>');
  });

  it('removes line breaks from the subject and the name of the sender', () => {
    const sender = { name: 'Bob\r\nBcc: eve@example.com', email: 'bob@sender.example' };
    const { from, subject } = compose({ ...message, subject: 'Hi\r\nBcc: eve@example.com' }, { ...context, sender });
    expect([from.name, subject]).toEqual(['BobBcc: eve@example.com', 'HiBcc: eve@example.com']);
  });

  it('refuses a body that exceeds the limits of templates', () => {
    expect(() => composed({ body: '{{ a }}'.repeat(501) })).toThrow(TemplateTooLarge);
    expect(() => composed({ body: 'x'.repeat(256 * 1024 + 1) })).toThrow(TemplateTooLarge);
    expect(composed({ body: '{{ a }}'.repeat(500), unsubscribe_footer: true }).text).toMatch(/^Unsubscribe/);
  });

  it('sets the headers of a reply to the earlier messages of the thread', () => {
    expect(composed({}).headers).not.toHaveProperty('References');
    expect(composed({ thread: ['a@x', 'b@x'] }).headers).toMatchObject({
      'In-Reply-To': '<b@x>',
      References: '<a@x> <b@x>',
    });
  });
});
