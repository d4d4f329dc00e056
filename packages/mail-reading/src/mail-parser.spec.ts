import process from 'node:process';
import type { Worker } from 'node:worker_threads';
import { MailParser } from './mail-parser.js';
import { UnreadableMail } from './received-mail.js';

const OWNER = 1;
const newParser = () => new MailParser({ concurrency: 2 });
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

  const parse = () => newParser().parse(OWNER, raw, new Date());

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
    const summaries = await newParser().summarize(OWNER, headers);
    expect(summaries.map(({ addresses }) => addresses)).toEqual([['a@x.example'], ['b@x.example']]);
    expect(threads).toBe(1);
  });

  it('takes headers for unreadable whose second thread is ended, too', async () => {
    process.on('worker', fail);
    await expect(newParser().summarize(OWNER, headers)).rejects.toThrow(UnreadableMail);
    expect(threads).toBe(2);
  });
});
