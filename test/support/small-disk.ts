import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';

const MEGABYTE = Buffer.alloc(1_048_576);

/** A small file system in memory, which a test can fill. Mounting it needs the permissions of root. */
export class SmallDisk {
  private constructor(readonly directory: string) {}

  /** @returns undefined if this process may not mount a file system, as in many containers */
  static async mount(megabytes: number): Promise<SmallDisk | undefined> {
    const directory = await mkdtemp(join(tmpdir(), 'outreach-disk-'));
    try {
      const options = ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', directory];
      execFileSync('mount', options, { stdio: 'ignore' });
      return new SmallDisk(directory);
    } catch {
      await rm(directory, { recursive: true });
      return undefined;
    }
  }

  /** Writes a file until no space is left. */
  async fill(): Promise<void> {
    const file = createWriteStream(this.ballast);
    Readable.from(endless(MEGABYTE)).pipe(file);
    await once(file, 'error');
    await finished(file).catch(() => undefined);
  }

  /** Deletes what {@link fill} has written. */
  free(): Promise<void> {
    return rm(this.ballast, { force: true });
  }

  async unmount(): Promise<void> {
    execFileSync('umount', [this.directory]);
    await rm(this.directory, { recursive: true });
  }

  private get ballast(): string {
    return join(this.directory, 'ballast');
  }
}

function* endless(chunk: Buffer): Generator<Buffer> {
  for (;;) yield chunk;
}
