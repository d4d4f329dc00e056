import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { MailSink } from '../support/mail-sink.js';
import { useService } from '../support/service.js';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const TOUR = readFileSync(join(ROOT, 'docs/tour.md'), 'utf8');

/** What the test does itself: the service runs, and there is a token. */
const DONE_BEFORE = /^(npm|npx|export TOKEN)/;

/** The part of a page from one heading to another. */
const part = (page: string, from: string, to: string): string =>
  page.slice(page.indexOf(`\n## ${from}\n`), page.indexOf(`\n## ${to}\n`));

/** The commands of blocks of shell code, each of which may have several lines. */
const commandsOf = (text: string): string[] =>
  [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands = '']) =>
    commands
      .split('\n')
      .filter((line) => !DONE_BEFORE.test(line))
      .join('\n'),
  );

/** The commands of blocks that show a terminal: after `$`, with the indented lines below. */
const typedCommandsOf = (text: string): string[] =>
  [...text.matchAll(/^\$ (.*(?:\n {4}.*)*)/gm)]
    .map(([, command = '']) => command)
    .filter((command) => !DONE_BEFORE.test(command));

/** Runs commands in one shell, and returns the JSON documents that they print. */
async function responsesTo(commands: readonly string[], api: ApiClient): Promise<object[]> {
  const script = commands.join('\necho\n').replaceAll('http://localhost:3000', api.url);
  const env = { PATH: process.env.PATH, TOKEN: api.token };
  const { stdout } = await run('bash', ['-e', '-o', 'pipefail', '-c', script], { cwd: ROOT, env });
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line): object => JSON.parse(line));
}

const isError = (response: object): boolean => 'error' in response;

describe('The commands of the README', () => {
  const service = useService();

  it('send a message from a sandbox, and the reply ends the sequence before the follow-up', async () => {
    await service.startWorker();
    const commands = commandsOf(part(README, 'Send your first campaign', 'Configure it'));
    const responses = await responsesTo(commands, await service.sandbox());
    expect(responses.filter(isError)).toEqual([]);
    expect(responses.slice(-3)).toMatchObject([
      { data: [{ to: 'zoe+replied@example.com', subject: 'A question for Lefèvre' }] },
      { data: [{ contact_id: 1, classification: 'reply' }] },
      { data: { enrollments: { completed: 1 }, messages: { sent: 1, queued: 0 } } },
    ]);
  });
});

describe('The commands of docs/tour.md', () => {
  const service = useService();
  let sink: MailSink;
  beforeAll(async () => void (sink = await MailSink.start({ users: { nora: 'secret' } })));
  afterAll(() => sink.stop());

  it('import, segment, copy templates and send a message to a mail server', async () => {
    await service.startWorker();
    const commands = typedCommandsOf(
      part(TOUR, 'Start the service', 'Handle unsubscribes and blacklist addresses').replace('127.0.0.1', sink.host),
    );
    const responses = await responsesTo(commands, await service.client());
    expect(responses.filter(isError)).toEqual([]);
    await eventually(() => expect(sink.mails.map(({ to }) => to)).toEqual([['zoe@example.com']]));
  });
});
