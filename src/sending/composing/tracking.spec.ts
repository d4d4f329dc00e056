import { BodyCache, valuesOf } from '@outreach/template-language';
import { Signer } from '@outreach/keyring';
import { finished } from '../../../test/support/finished.js';
import { Keyring } from '../../platform/crypto/index.js';
import { MessageLinks } from '../message-links.js';
import { type TrackingOptions, Tracking } from './tracking.js';

const keyring = new Keyring(['a key that only tests use']);
const links = new MessageLinks(new Signer(keyring), keyring, { public_url: 'https://mail.test' });
const message = { workspace_id: 3, message_id: 7 };
const PICTURE = /<img src="https:\/\/mail\.test\/t\/o\/([\w-]+)\.gif" width="1" height="1" alt="" style="[^"]+">/;
const HIDDEN =
  /<a href="https:\/\/mail\.test\/t\/c\/([\w-]+)" style="display:none" tabindex="-1" aria-hidden="true"><\/a>/;
const bodies = new BodyCache();

function tracked(body: string, wanted: Partial<TrackingOptions> = {}, values: object = {}): string {
  const tracking = new Tracking(links, message, { track_opens: true, track_clicks: true, ...wanted });
  return finished(bodies.parse(body).render(valuesOf({ ...values }), tracking)).html;
}

/** The tracked links of a message, in order. */
const followed = (html: string) =>
  [...html.matchAll(/https:\/\/mail\.test\/t\/c\/([\w-]+)/g)].map(([, token = '']) => links.clickedLink(token));

describe('the tracking of a message', () => {
  it('adds only an image at the end of the body if the campaign tracks opens', () => {
    const html = tracked('<body><p>Hi</p><a href="https://a.test">x</a></body>', { track_clicks: false });
    const [, token = ''] = PICTURE.exec(html) ?? [];
    expect(html.replace(PICTURE, '|')).toBe('<body><p>Hi</p><a href="https://a.test">x</a>|</body>');
    expect(links.openRef(token)).toEqual(message);
  });

  it('redirects the links and adds a hidden one if the campaign tracks clicks', () => {
    const html = tracked('<a href="https://a.test/?a=1&amp;b=2">x</a><a href="http://b.test">y</a>', {
      track_opens: false,
    });
    expect(html.replace(HIDDEN, '|')).toMatch(/^<a href="https:[^"]+">x<\/a><a href="https:[^"]+">y<\/a>\|$/);
    expect(followed(html)).toEqual([
      { ...message, link: 1, url: 'https://a.test/?a=1&b=2' },
      { ...message, link: 2, url: 'http://b.test' },
      { ...message, link: 0, url: 'https://a.test/?a=1&b=2' },
    ]);
  });

  it('does not change a body without web links if the campaign tracks clicks', () => {
    const body = '<p>Hi</p><a href="mailto:ada@a.test">x</a>';
    expect(tracked(body, { track_opens: false })).toBe(body);
  });

  it.each([
    ['', 'an empty address'],
    ['https://', 'an address without a host'],
    ['ftp://a.test', 'an address that is not of the web'],
    ['javascript:alert(1)', 'a script'],
    [`https://a.test/${'x'.repeat(2048)}`, 'an address that is too long'],
    ['https://mail.test/u/token', 'the unsubscribe page'],
    ['https://mail.test/t/c/token', 'an address that is tracked already'],
  ])('does not redirect %j: %s', (url) => {
    expect(tracked('<a href="{{ url }}">x</a>', { track_opens: false }, { url })).toBe(`<a href="${url}">x</a>`);
  });

  it('redirects to the rendered address, without the whitespace that browsers remove', () => {
    const html = tracked('<a href=" {{ url }}/?q={{ q }}\r\n">x</a>', {}, { url: 'HTTPS://é.test', q: 'a b&c' });
    expect(followed(html)[0]?.url).toBe('HTTPS://é.test/?q=a b&c');
  });
});

describe('the token of a tracked link', () => {
  it('contains the link, and is not accepted for any other purpose', () => {
    const link = { ...message, link: 1, url: `https://a.test/${'é 1 2 '.repeat(50)}` };
    const token = links.clickUrl(link).split('/').at(-1) ?? '';
    expect(links.clickedLink(token)).toEqual(link);
    expect([links.openRef(token), links.unsubscribeRef(token)]).toEqual([undefined, undefined]);
    const picture = /o\/(.+)\.gif$/.exec(links.openUrl(message))?.[1] ?? '';
    expect([links.clickedLink(picture), links.unsubscribeRef(picture)]).toEqual([undefined, undefined]);
    expect(links.clickedLink(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`)).toBeUndefined();
  });
});
