import type { Response } from 'express';
import { MailParser } from '@outreach/mail-reading';
import { MimeEncoder, toMime } from '@outreach/mail-writing';
import { BodyCache } from '@outreach/template-language';
import { parseMail } from '../../packages/mail-reading/src/parse-mail.js';
import { BackgroundSteps, KeyActivity } from '@outreach/concurrency';
import { encodeRows } from '../../src/platform/http/envelope/index.js';
import { mainThreadTimeOf, maxStallOf } from './event-loop.js';

/** How much of the processor time of the work may be left to the main thread while a thread does it. */
const MAX_SHARE = 0.5;
const ROUNDS = 10;

/** Bodies that differ, so that none is stored. */
const bodies = Array.from({ length: 2 * ROUNDS + 1 }, (_, n) => `<p>${n}${'<tr><td>a<td>b'.repeat(18_000)}`);

const mail = {
  from: { name: 'Ada', email: 'ada@sender.example' },
  to: 'bob@example.com',
  message_id: 'id@sender.example',
  subject: 'Hi',
  html: '='.repeat(1_000_000),
  text: '='.repeat(1_000_000),
  headers: {},
};

const report = Buffer.from(
  `Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain; charset=utf-7\r\n\r\n${'+AGEA-'.repeat(20_000)}\r\n--b--`,
);

/** The longest header that is read. */
const thread = Buffer.from(`References: ${'<a@b.example>\r\n '.repeat(9_000)}\r\n${'a:\r\n'.repeat(25_000)}\r\nHello`);

/** A page of the largest templates. */
const page = {
  rows: Array.from({ length: 100 }, (_, id) => ({ id, body: '<p class="a">é</p>\n'.repeat(12_000) })),
  toJson: (row: unknown) => row,
  beside: {},
};

/** @returns the processor time of the main thread in several rounds of the work */
const timeOf = (work: (round: number) => Promise<unknown>): Promise<number> =>
  mainThreadTimeOf(async () => {
    for (let round = 0; round < ROUNDS; round += 1) await work(round);
  });

const NOW = new Date();

describe('work that takes long', () => {
  const cache = new BodyCache();
  const parser = new MailParser({ concurrency: 2 });
  const encoder = new MimeEncoder();
  const steps = new BackgroundSteps(new KeyActivity());

  it.each([
    [
      'the conversion of a body of 256 KB',
      (round: number) => cache.load(bodies[round] ?? ''),
      async (round: number) => cache.parse(bodies[ROUNDS + round] ?? ''),
    ],
    ['the encoding of a message of 2 MB', () => encoder.encode(1, mail), async () => toMime(mail)],
    [
      'the parsing of a mail with very many references and fields',
      () => parser.parse(1, thread, NOW),
      () => parseMail({ bytes: thread, received_at: NOW }),
    ],
    [
      'the parsing of a report in UTF-7',
      () => parser.parse(1, report, NOW),
      () => parseMail({ bytes: report, received_at: NOW }),
    ],
  ])('is done in a thread: %s', async (_, inThread, inline) => {
    await inThread(2 * ROUNDS);
    expect((await timeOf(inThread)) / (await timeOf(inline))).toBeLessThan(MAX_SHARE);
  });

  it('does not occupy the event loop: the encoding of a page of 100 large templates', async () => {
    const encode = () => encodeRows(page, steps, 1, { closed: false } as Response);
    await encode();
    const inSteps = await maxStallOf(encode);
    expect(inSteps / (await maxStallOf(async () => JSON.stringify({ data: page.rows })))).toBeLessThan(MAX_SHARE);
  });
});
