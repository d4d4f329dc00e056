import { Readable } from 'node:stream';
import { Injectable, StreamableFile } from '@nestjs/common';
import { FairQueue } from '@outreach/concurrency';
import { snapshotStream, type SnapshotText } from '@outreach/database';
import { FAIR_QUEUES } from '../concurrency/index.js';
import { Database } from '../database/index.js';
import { Busy } from '../errors/index.js';
import type { WorkspaceScope } from '../tenancy/index.js';

const WAIT_LIMIT = { milliseconds: 10_000, error: (): Error => new Busy() };

/** What a client downloads. */
export interface StreamedFile {
  readonly fileName: string;
  /** The value of `Content-Type`. */
  readonly type: string;
}

/** Streams files to clients that are read while they are sent, with a limit for each workspace and for all. */
@Injectable()
export class StreamedFiles {
  private readonly files = new FairQueue(FAIR_QUEUES.downloads);
  private readonly snapshots: FairQueue;

  constructor(database: Database) {
    this.snapshots = new FairQueue(FAIR_QUEUES.snapshotDownloads(database.poolSize));
  }

  /**
   * A file whose text is yielded in parts, only as fast as the client reads. No connection may be in use between two parts.
   * @throws Busy if too many files are open
   */
  async open(scope: WorkspaceScope, file: StreamedFile, text: AsyncIterable<string>): Promise<StreamableFile> {
    const release = await this.files.acquire(scope.workspace_id);
    return streamable(file, Readable.from(text).once('close', release));
  }

  /**
   * Like {@link open}, for a file that shows the database as it is at one instant. It occupies a connection until the
   * client has read it, is gone or stalls, at most for five minutes.
   * @throws Busy if too many files are open, or after ten seconds without a place; and what `textOf` throws before its first part
   */
  async openSnapshot(
    scope: WorkspaceScope,
    file: StreamedFile,
    textOf: SnapshotText<WorkspaceScope>,
  ): Promise<StreamableFile> {
    const releaseFile = await this.files.acquire(scope.workspace_id);
    try {
      const releaseSnapshot = await this.snapshots.acquire(scope.workspace_id, undefined, WAIT_LIMIT);
      const stream = await snapshotStream(scope, textOf, releaseSnapshot);
      if (stream.closed) releaseFile();
      else stream.once('close', releaseFile);
      return streamable(file, stream);
    } catch (error) {
      releaseFile();
      throw error;
    }
  }
}

const streamable = ({ fileName, type }: StreamedFile, stream: Readable): StreamableFile =>
  new StreamableFile(stream, { type, disposition: `attachment; filename="${fileName}"` });
