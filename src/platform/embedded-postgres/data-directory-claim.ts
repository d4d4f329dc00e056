import { randomBytes } from 'node:crypto';
import { link, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { DataDirectory } from './data-directory.js';
import { DataDirectoryBusy, errorCode } from './embedded-postgres-failure.js';
import { processTable } from './process-table.js';

/** `server` keeps the database for as long as it lives, `command` only for a moment. */
export type Occupant = 'server' | 'command';

interface Holder {
  readonly pid: number;
  readonly identity: string;
  readonly as: Occupant;
  /** Where its server answers; undefined until it does. */
  readonly port: number | undefined;
}

export type Occupation = { kind: 'claimed'; claim: DataDirectoryClaim } | { kind: 'running'; port: number };

const interval = 25;

function format(holder: Holder): string {
  return `${holder.pid}\n${holder.identity}\n${holder.as}\n${holder.port ?? ''}\n`;
}

function parse(text: string): Holder | undefined {
  const [pid = '', identity = '', as, port = ''] = text.split('\n');
  if (pid === '' || (as !== 'server' && as !== 'command')) return undefined;
  return { pid: Number(pid), identity, as, port: port === '' ? undefined : Number(port) };
}

/** The file appears complete or not at all. */
async function placeComplete(holder: Holder, place: (draft: string) => Promise<void>, folder: string): Promise<void> {
  const draft = path.join(folder, `.${process.pid}-${randomBytes(6).toString('hex')}`);
  try {
    await writeFile(draft, format(holder), { mode: 0o644 });
    await place(draft);
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * The right to run a server in a data directory. Node has no flock(2), and taking over a dead process's lock file by
 * remove-and-create lets two contenders win. So claims are numbered files: the highest one counts, it is free when it is
 * empty or its process is dead, and the next number is taken by link(2), which succeeds for one. It is never removed.
 */
export class DataDirectoryClaim {
  private constructor(
    private readonly file: string,
    private readonly holder: Holder,
  ) {}

  /** The claim with this number, or undefined when another process was faster. */
  static async take(folder: string, number: number, as: Occupant): Promise<DataDirectoryClaim | undefined> {
    const identity = (await processTable.identity(process.pid)) ?? '';
    const holder = { pid: process.pid, identity, as, port: undefined };
    const file = path.join(folder, String(number));
    try {
      await placeComplete(holder, (draft) => link(draft, file), folder);
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return undefined;
      throw error;
    }
    const all = await claimNumbers(folder);
    // Somebody slow may take a number that was used and cleared away long ago: only the highest counts.
    if (all.some((other) => other > number)) {
      await rm(file, { force: true });
      return undefined;
    }
    await Promise.all(
      all.filter((other) => other < number).map((old) => rm(path.join(folder, String(old)), { force: true })),
    );
    return new DataDirectoryClaim(file, holder);
  }

  /** Tells the processes that want to attach where the server answers. */
  async announce(port: number): Promise<void> {
    await placeComplete({ ...this.holder, port }, (draft) => rename(draft, this.file), path.dirname(this.file));
  }

  async release(): Promise<void> {
    try {
      await truncate(this.file, 0);
    } catch (error) {
      // The whole data directory may be gone by now, and the claim with it.
      if (errorCode(error) !== 'ENOENT') throw error;
    }
  }
}

async function claimNumbers(folder: string): Promise<number[]> {
  const names = await readdir(folder);
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

async function livingHolder(folder: string, number: number): Promise<Holder | undefined> {
  let holder: Holder | undefined;
  try {
    holder = parse(await readFile(path.join(folder, String(number)), 'utf8'));
  } catch (error) {
    // Cleared away in between: there is a higher one, and taking the next number will find out.
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  return holder && (await processTable.identity(holder.pid)) === holder.identity ? holder : undefined;
}

/**
 * Claims the directory, or finds the server that runs in it.
 * A server gives way to none and waits for commands only; a command waits for commands and for a server to be ready.
 * @throws DataDirectoryBusy at once between two servers, after `patienceMs` otherwise.
 */
export async function occupy(directory: DataDirectory, as: Occupant, patienceMs: number): Promise<Occupation> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const highest = Math.max(0, ...(await claimNumbers(directory.claims)));
    const holder = await livingHolder(directory.claims, highest);
    if (!holder) {
      const claim = await DataDirectoryClaim.take(directory.claims, highest + 1, as);
      if (claim) return { kind: 'claimed', claim };
    } else if (holder.as === 'server') {
      if (as === 'command' && holder.port !== undefined) return { kind: 'running', port: holder.port };
      if (as === 'server') throw new DataDirectoryBusy(`${heldBy(directory, holder)}: stop it first`);
    }
    if (performance.now() >= deadline) {
      throw new DataDirectoryBusy(
        holder
          ? `${heldBy(directory, holder)}, and it does not finish`
          : `Many processes want ${directory.root} at once`,
      );
    }
    if (holder) await pause(interval);
  }
}

function heldBy(directory: DataDirectory, holder: Holder): string {
  return `The data directory ${directory.root} is used by another process (${holder.as}, pid ${holder.pid})`;
}
