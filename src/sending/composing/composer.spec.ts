import { unsubscribeHeaders } from '@outreach/mail-writing';
import { BackgroundSteps, KeyActivity } from '@outreach/concurrency';
import { Signer } from '@outreach/keyring';
import { SAMPLE_CONTACT } from '../../contacts/index.js';
import { Keyring } from '../../platform/crypto/index.js';
import { MessageLinks } from '../message-links.js';
import type { MailSource } from './compose.js';
import { Composer } from './composer.js';

const keyring = new Keyring(['a key that only tests use']);
const links = new MessageLinks(new Signer(keyring), keyring, { public_url: 'https://mail.test' });
const newComposer = (): Composer => new Composer(links, new BackgroundSteps(new KeyActivity()));
const sender = {
  name: 'Bob',
  email: 'bob@sender.example',
  postal_address: '',
  brand: {},
  link_domain: null,
  reads_mailbox: false,
};
/** Only the clock of the steps stands still. */
const ONLY_PERFORMANCE: Parameters<typeof jest.useFakeTimers>[0] = {
  doNotFake: ['Date', 'nextTick', 'setImmediate', 'setInterval', 'setTimeout', 'queueMicrotask'],
};
const message = (id: number): MailSource => ({
  id,
  campaign_id: 7,
  enrollment_id: id,
  step_id: 5,
  is_follow_up: false,
  to_address: null,
  message_id: null,
  contact: {
    ...SAMPLE_CONTACT,
    id: 4,
    email: 'ada@example.com',
    phone: null,
    subscribed_at: null,
    unsubscribed_at: null,
    created_at: '2026-01-02T03:04:05.678+00:00',
    custom_fields: {},
  },
  subject: 'Hello',
  body: '<p>Hello {{ first_name }}</p>',
  unsubscribe_footer: true,
  language: 'en',
  track_opens: true,
  track_clicks: true,
  may_track: true,
  thread: [],
});

describe('Composer', () => {
  afterEach(() => jest.useRealTimers());

  it('composes messages of one workspace between those of another that came before', async () => {
    // A message that takes longer than a step, on a busy machine, is finished after small ones of any workspace.
    jest.useFakeTimers(ONLY_PERFORMANCE);
    const composer = newComposer();
    const composed: number[] = [];
    const compose = (workspaceId: number, id: number): Promise<number> =>
      composer.compose({ workspace_id: workspaceId }, sender, message(id)).then(() => composed.push(workspaceId));
    const first = Array.from({ length: 50 }, (_, id) => compose(1, id));
    const second = [compose(2, 101), compose(2, 102)];
    await Promise.all(second);
    expect(composed.filter((workspaceId) => workspaceId === 1).length).toBeLessThanOrEqual(3);
    await Promise.all(first);
  });

  it('composes very many small messages of a workspace while it composes a few large ones of another', async () => {
    const composer = newComposer();
    const link = `<a href="https://a.test/${'x'.repeat(400)}">x</a>`;
    const large = (id: number): MailSource => ({ ...message(id), body: link.repeat(500) });
    await composer.compose({ workspace_id: 1 }, sender, large(1));
    let composed = 0;
    const first = Array.from({ length: 20 }, (_, id) =>
      composer.compose({ workspace_id: 1 }, sender, large(id)).then(() => (composed += 1)),
    );
    await Promise.all(
      Array.from({ length: 200 }, (_, id) => composer.compose({ workspace_id: 2 }, sender, message(id))),
    );
    expect(composed).toBeLessThanOrEqual(5);
    await Promise.all(first);
    expect(composed).toBe(20);
  });

  it('adds an unsubscribe link that contains the address of the recipient, encrypted', async () => {
    const { headers, text } = await newComposer().compose({ workspace_id: 7 }, sender, message(8));
    const [, token = ''] = /^<https:\/\/mail\.test\/u\/([\w-]+)>$/.exec(headers['List-Unsubscribe'] ?? '') ?? [];
    expect(text).toContain(`/u/${token}`);
    expect(links.unsubscribeRef(token)).toEqual({ workspace_id: 7, message_id: 8, address: 'ada@example.com' });
    expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('ada');
    for (const changed of [`${token}A`, token.slice(1), token.slice(0, -1)]) {
      expect(links.unsubscribeRef(changed)).toBeUndefined();
    }
  });

  it('adds the address of a mail that unsubscribes, after the link, if the mailbox of the sender is read', async () => {
    const read = { ...sender, email: 'bob+x?&%@sender.example', reads_mailbox: true };
    const { headers } = await newComposer().compose({ workspace_id: 7 }, read, message(8));
    const [, subject = ''] =
      /^<https:\/\/mail\.test\/u\/[\w-]+>, <mailto:bob%2Bx%3F%26%25@sender\.example\?subject=([^&>]+)>$/.exec(
        headers['List-Unsubscribe'] ?? '',
      ) ?? [];
    const ref = { workspace_id: 7, message_id: 8 };
    for (const written of ['', 'Re: ', 'Fwd: '].map((prefix) => prefix + decodeURIComponent(subject))) {
      expect(links.unsubscribeRefIn(written)).toEqual({ ...ref, address: 'ada@example.com' });
    }
    expect(links.unsubscribeRefIn(`${decodeURIComponent(subject)}A`)).toBeUndefined();
    expect(links.unsubscribeRefIn('unsubscribe')).toBeUndefined();
    expect(headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
  });

  it('keeps the subject of that mail short, and the header in one line', async () => {
    const long = { ...message(8).contact, email: `${'a'.repeat(64)}@${'b'.repeat(180)}.example` };
    const read = { ...sender, reads_mailbox: true };
    const { headers } = await newComposer().compose({ workspace_id: 7 }, read, { ...message(8), contact: long });
    const header = headers['List-Unsubscribe'] ?? '';
    const subject = decodeURIComponent(/subject=([^>]+)/.exec(header)?.[1] ?? '');
    expect(subject.length).toBeLessThan(100);
    expect(links.unsubscribeRefIn(subject)).toEqual({ workspace_id: 7, message_id: 8 });
    expect(unsubscribeHeaders(`https://mail.test/${'x'.repeat(990)}`, 'mailto:a@b.example')['List-Unsubscribe']).toBe(
      `<https://mail.test/${'x'.repeat(990)}>`,
    );
  });

  it('continues with the next message after one that cannot be composed', async () => {
    const composer = newComposer();
    const contact = { ...message(1).contact, custom_fields: { story: 'x'.repeat(5_000) } };
    const tooLong = { ...message(1), contact, body: '{{ story }}'.repeat(3_000) };
    const results = await Promise.allSettled([
      composer.compose({ workspace_id: 1 }, sender, tooLong),
      composer.compose({ workspace_id: 1 }, sender, message(2)),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });
});
