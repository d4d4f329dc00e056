import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { promisify } from 'node:util';
import { errorCode } from './embedded-postgres-failure.js';

/** Looks up running processes of this machine. */
export interface ProcessTable {
  /** Returns a text that no later process with the same PID has; undefined if the process has ended. */
  identity(pid: number): Promise<string | undefined>;
  /** Returns the command line, separated by single spaces; empty if the process does not exist. */
  commandLine(pid: number): Promise<string>;
  /**
   * Returns a text that two processes have in common if they see the same processes and the same ports: not those of two
   * containers, of two machines, or before and after a restart of the machine. Its first word is for {@link kernelOf}.
   */
  namespace(): Promise<string>;
}

/** Returns the part of a namespace that is the same in all containers of a machine. */
export const kernelOf = (namespace: string): string | undefined => namespace.split(' ', 1)[0];

async function readProc(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ESRCH') return '';
    throw error;
  }
}

const bootId = async (): Promise<string> => (await readProc('/proc/sys/kernel/random/boot_id')).trim();

const linkOf = (name: string): Promise<string> => readlink(`/proc/self${name}`).catch(() => '');

/** Linux: proc(5). */
export const procTable: ProcessTable = {
  async identity(pid) {
    const stat = await readProc(`/proc/${pid}/stat`);
    if (stat === '') return undefined;
    // The second field, the program's name, may contain spaces and brackets: count after it (state 3, start time 22).
    const [state = '', ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if ('ZXx'.includes(state)) return undefined;
    // The start time counts from the boot, so it could repeat after a reboot.
    return `${await bootId()} ${rest[18] ?? ''}`;
  },
  async commandLine(pid) {
    const commandLine = await readProc(`/proc/${pid}/cmdline`);
    return commandLine.split('\0').join(' ').trim();
  },
  async namespace() {
    const [boot, self, ...namespaces] = await Promise.all([bootId(), linkOf(''), linkOf('/ns/pid'), linkOf('/ns/net')]);
    // If /proc is that of another namespace, its PIDs are not those that this process knows.
    const foreign = self === String(process.pid) ? [] : [`proc:[${self}]`];
    return [boot || hostname(), ...namespaces, ...foreign].join(' ');
  },
};

async function ps(pid: number, ...columns: string[]): Promise<string> {
  const format = columns.flatMap((column) => ['-o', `${column}=`]);
  const env = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' };
  try {
    const { stdout } = await promisify(execFile)('ps', ['-ww', ...format, '-p', String(pid)], { env });
    return stdout.trim();
  } catch (error) {
    // ps exits with 1 if the process does not exist.
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 1) return '';
    throw error;
  }
}

/** Other systems: ps(1). */
export const psTable: ProcessTable = {
  async identity(pid) {
    const [state = '', ...started] = (await ps(pid, 'stat', 'lstart')).split(/\s+/);
    return state === '' || state.startsWith('Z') ? undefined : started.join(' ');
  },
  commandLine: (pid) => ps(pid, 'command'),
  namespace: () => Promise.resolve(process.platform),
};

/** The process table of this operating system. */
export const processTable: ProcessTable = process.platform === 'linux' ? procTable : psTable;
