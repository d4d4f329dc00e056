import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';

/** A transaction holds back the cleaning of all tables, so a client that reads slowly gets no longer than this. */
export const MAX_SNAPSHOT_MS = 300_000;

/** Where a snapshot is read: a `TenantDatabase`, or what wraps one. */
export interface SnapshotSource<Snapshot> {
  cancelledBy(signal: AbortSignal): { snapshot<R>(work: (snapshot: Snapshot) => Promise<R>): Promise<R> };
}

/** Yields a text in parts, which are read in one snapshot. */
export type SnapshotText<Snapshot> = (snapshot: Snapshot) => AsyncIterable<string>;

/** Why a stream ends before its text does: its client is gone, or slow. */
class StreamClosed extends Error {
  constructor() {
    super('The stream was closed.');
  }
}

/**
 * Writes a text into a stream, in one snapshot and only as fast as the stream is read. The transaction ends with the text,
 * or when the stream is destroyed.
 * @param release is called once, after the transaction
 * @param maxMs after this time the stream is destroyed
 * @returns the stream, when it has the first part. An error after that destroys it, so that no client takes a part for the
 *   whole.
 * @throws what `textOf` throws before its first part
 */
export async function snapshotStream<Snapshot>(
  source: SnapshotSource<Snapshot>,
  textOf: SnapshotText<Snapshot>,
  release: () => void,
  maxMs = MAX_SNAPSHOT_MS,
): Promise<Readable> {
  const output = new PassThrough({ encoding: 'utf8' });
  const closed = closeSignal(output, maxMs);
  await new Promise<void>((resolve, reject) => {
    const written = source.cancelledBy(closed).snapshot(async (snapshot) => {
      let hasBegun = false;
      try {
        for await (const part of textOf(snapshot)) {
          hasBegun = true;
          const canContinue = output.write(part);
          resolve();
          if (!canContinue) await once(output, 'drain', { signal: closed });
          closed.throwIfAborted();
        }
      } catch (error) {
        // What has been sent cannot be revoked, so the transaction must not be repeated.
        throw hasBegun ? new Error('The text ended before its end.', { cause: error }) : error;
      }
    });
    written.finally(release).then(
      () => output.end(),
      (error: unknown) => {
        reject(error);
        output.destroy(error as Error);
      },
    );
  });
  return output;
}

/** A signal that is aborted when the stream is closed, which it is after some time. */
function closeSignal(output: PassThrough, maxMs: number): AbortSignal {
  const closed = new AbortController();
  const timer = setTimeout(() => output.destroy(new Error('The client has read too slowly.')), maxMs);
  // An error without a handler would end the process. Those of streams that are sent are logged by what sends them.
  output.on('error', () => undefined);
  output.once('close', () => {
    clearTimeout(timer);
    closed.abort(new StreamClosed());
  });
  return closed.signal;
}
