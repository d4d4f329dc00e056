import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformFile } from '@swc/core';
import { eventually } from './eventually.js';

const SOURCE = path.join(import.meta.dirname, '../../packages/embedded-postgres/src');

/** How a process is started that runs a script. */
export interface ProcessOptions {
  readonly uid?: number;
  readonly gid?: number;
  /** A command that starts the command which is appended to it; none by default. */
  readonly wrapper?: readonly string[];
}

/** A process that has opened an embedded PostgreSQL, and runs until it is killed. */
export interface PostgresProcess {
  readonly child: ChildProcess;
  /** Returns a line of its output: the first is the URL of the server, or the error. */
  readonly line: (number: number) => Promise<string>;
}

/** Starts processes that use `@outreach/embedded-postgres` without Jest. */
export class EmbeddedPostgresProcesses {
  private readonly children: ChildProcess[] = [];

  private constructor(private readonly folder: string) {}

  /** Compiles the package. @param folder is created */
  static async compile(folder: string): Promise<EmbeddedPostgresProcesses> {
    const jsc = { target: 'es2023', parser: { syntax: 'typescript' } } as const;
    await mkdir(folder, { recursive: true });
    for (const name of (await readdir(SOURCE)).filter((file) => /(?<!\.spec)\.ts$/.test(file))) {
      const { code } = await transformFile(path.join(SOURCE, name), { swcrc: false, jsc });
      await writeFile(path.join(folder, name.replace(/ts$/, 'js')), code);
    }
    await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }');
    return new EmbeddedPostgresProcesses(folder);
  }

  /**
   * Opens the database in another process, and then runs `then` there: JavaScript with `server`, `print` and `Client`.
   * @param options those of `openEmbeddedPostgres`
   */
  open(options: object, then = '', { wrapper = [], ...account }: ProcessOptions = {}): PostgresProcess {
    const [program = '', ...args] = [...wrapper, process.execPath, '--input-type=module', '--eval'];
    const child = this.add(
      spawn(program, [...args, this.script(options, then)], {
        ...account,
        cwd: '/',
        detached: true,
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    );
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    const line = async (number: number): Promise<string> => {
      await eventually(() => expect(output.split('\n').length > number + 1 || child.exitCode !== null).toBe(true));
      return output.split('\n')[number] ?? 'no output';
    };
    return { child, line };
  }

  /** Has {@link kill} kill this process, too. */
  add<T extends ChildProcess>(child: T): T {
    this.children.push(child);
    return child;
  }

  /** Kills all that were started. */
  kill(): void {
    for (const child of this.children.splice(0)) child.kill('SIGKILL');
  }

  private script(options: object, then: string): string {
    const module = pathToFileURL(path.join(this.folder, 'index.js')).href;
    return `
      import { openEmbeddedPostgres } from ${JSON.stringify(module)};
      import { createRequire } from 'node:module';
      const { Client } = createRequire(${JSON.stringify(import.meta.filename)})('pg');
      const print = (text) => process.stdout.write(text + '\\n');
      setInterval(() => {}, 60_000);
      try {
        const server = await openEmbeddedPostgres(${JSON.stringify(options)});
        print(server.url);
        ${then}
      } catch (error) { print(error.name + ' ' + error.message); }`;
  }
}
