import { spawn } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** A request that a snippet verifies with a secret. */
export interface WebhookRequest {
  readonly secret: string;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** The results of the two functions of a snippet. */
export interface SnippetResult {
  readonly verify: boolean;
  readonly verify_body: boolean;
}

const here = (file: string): string => join(import.meta.dirname, 'snippets', file);
const SNIPPETS = join(import.meta.dirname, '../../examples/webhooks');

/** How each snippet is run. */
const RUNTIMES: Readonly<Record<string, (input: string) => Promise<string>>> = {
  node: (input) => output([process.execPath, here('run.mjs')], input),
  python: (input) => output(['python3', here('run.py')], input),
  php: (input) => output(['php', here('run.php')], input),
  go: goOutput,
};

/** Runs the snippet of a language in its own runtime. @returns a result for each request */
export async function runSnippet(language: string, requests: readonly WebhookRequest[]): Promise<SnippetResult[]> {
  const run = RUNTIMES[language];
  if (!run) throw new Error(`There is no snippet for ${language}`);
  const input = requests.map((request) => ({ ...request, body: request.body.toString('base64') }));
  return JSON.parse(await run(JSON.stringify(input))) as SnippetResult[];
}

/** Go builds modules only, so the files are copied into a temporary module. */
async function goOutput(input: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'outreach-snippets-'));
  try {
    await mkdir(join(directory, 'webhooks'));
    await writeFile(join(directory, 'go.mod'), 'module snippets\n\ngo 1.19\n');
    await copyFile(here('run.go'), join(directory, 'main.go'));
    await copyFile(join(SNIPPETS, 'verify.go'), join(directory, 'webhooks/verify.go'));
    return await output(['go', 'run', '.'], input, directory);
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function output([command = '', ...args]: readonly string[], input: string, cwd?: string): Promise<string> {
  const child = spawn(command, args, { cwd });
  const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  child.stdin.end(input);
  const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${stderr}`);
  return stdout;
}
