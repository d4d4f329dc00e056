import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../..');
/** The folder of the example. */
export const EXAMPLE = join(ROOT, 'examples/ci');

export interface Step {
  readonly name?: string;
  readonly run?: string;
  readonly 'working-directory'?: string;
}

/** A job of a GitHub workflow, as far as the tests read it. */
export interface Job {
  readonly env: Readonly<Record<string, string>>;
  readonly services: Readonly<Record<string, { readonly env: Readonly<Record<string, string>> }>>;
  readonly steps: readonly Step[];
}

interface WorkflowParser {
  parseWorkflow(
    file: { readonly name: string; readonly content: string },
    trace: Readonly<Record<'error' | 'info' | 'verbose', () => void>>,
  ): { readonly context: { readonly errors: { getErrors(): { readonly message: string }[] } } };
}

/** Node 20 does not load GitHub's parser, because that imports JSON files without saying so: a bundle contains them. */
function workflowParser(): WorkflowParser {
  const folder = mkdtempSync(join(tmpdir(), 'outreach-parser-'));
  const outfile = join(folder, 'parser.cjs');
  const source = { contents: "export * from '@actions/workflow-parser'", resolveDir: ROOT };
  buildSync({ stdin: source, bundle: true, platform: 'node', format: 'cjs', outfile });
  try {
    return createRequire(import.meta.url)(outfile) as WorkflowParser;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @returns what GitHub's parser, which knows the schema of workflows, finds wrong in one */
export function workflowErrors(content: string): string[] {
  const ignore = () => undefined;
  const { context } = workflowParser().parseWorkflow(
    { name: 'e2e.yml', content },
    { error: ignore, info: ignore, verbose: ignore },
  );
  return context.errors.getErrors().map(({ message }) => message);
}

/** @returns the text of a file of the example */
export const exampleFile = (name: string): string => readFileSync(join(EXAMPLE, name), 'utf8');

/** @returns the only job of the workflow */
export const exampleJob = (): Job => (parse(exampleFile('github-actions.yml')) as { jobs: { e2e: Job } }).jobs.e2e;
