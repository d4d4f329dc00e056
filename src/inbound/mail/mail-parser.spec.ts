import process from 'node:process';
import type { Worker } from 'node:worker_threads';
import { UnreadableMail } from '@outreach/mail-reading';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { MailParser } from './mail-parser.js';

const scope = { workspace_id: 1 } as WorkspaceScope;
const raw = Buffer.from('Subject: Hello\r\n\r\nYes');

/** What Node does if a thread has no memory left. */
const fail = (thread: Worker): unknown => thread.emit('error', new Error('The thread has ended.'));

describe('MailParser', () => {
  let threads = 0;
  const count = (): unknown => (threads += 1);
  beforeEach(() => {
    threads = 0;
    process.on('worker', count);
  });
  afterEach(() => {
    process.off('worker', count).off('worker', fail);
  });

  const parse = () => new MailParser().parse(scope, raw, new Date());

  it('parses a mail in another thread if the first one is ended', async () => {
    process.once('worker', fail);
    expect(await parse()).toMatchObject({ subject: 'Hello' });
    expect(threads).toBe(2);
  });

  it('takes a mail for unreadable whose second thread is ended, too', async () => {
    process.on('worker', fail);
    await expect(parse()).rejects.toThrow(UnreadableMail);
    expect(threads).toBe(2);
  });

  const headers = ['a', 'b'].map((name) => Buffer.from(`From: ${name}@x.example\r\n\r\n`));

  it('reads headers in a thread, in their order', async () => {
    const summaries = await new MailParser().summarize(scope, headers);
    expect(summaries.map(({ addresses }) => addresses)).toEqual([['a@x.example'], ['b@x.example']]);
    expect(threads).toBe(1);
  });

  it('takes headers for unreadable whose second thread is ended, too', async () => {
    process.on('worker', fail);
    await expect(new MailParser().summarize(scope, headers)).rejects.toThrow(UnreadableMail);
    expect(threads).toBe(2);
  });
});
