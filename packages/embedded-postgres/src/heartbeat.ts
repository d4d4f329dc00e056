import { randomUUID } from 'node:crypto';
import { type FileHandle, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { pollUntil } from './poll-until.js';

const INTERVAL_MS = 2_000;

/** After this time without a heartbeat, a process of another machine counts as ended. */
export const HEARTBEAT_TIMEOUT_MS = 15_000;

/** Writes a new value into the open file, now and every two seconds, while `isOwner` and until the signal is aborted. */
export async function beat(handle: FileHandle, signal: AbortSignal, isOwner: () => Promise<boolean>): Promise<void> {
  while (!signal.aborted && (await isOwner())) {
    // A disk that is full or does not respond may recover. Overwriting needs no space.
    await write(handle, randomUUID()).catch(() => undefined);
    await pause(INTERVAL_MS, undefined, { ref: false, signal }).catch(() => undefined);
  }
}

async function write(handle: FileHandle, text: string): Promise<void> {
  await handle.write(text, 0);
  // A network file system may otherwise pass it on to other machines half a minute later.
  await handle.datasync();
}

/**
 * Whether the file changes within the timeout. Compares no clocks: those of two machines may differ. Opens the file each
 * time, because network file systems look for changes then.
 */
export async function hasHeartbeat(file: string, timeoutMs: number): Promise<boolean> {
  const before = await readFile(file, 'utf8');
  return pollUntil(async () => (await readFile(file, 'utf8')) !== before, timeoutMs, 100);
}
