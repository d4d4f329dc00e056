import { prettyFactory } from 'pino-pretty';
import type { DestinationStream } from 'pino';

/** Where log lines go. */
interface LineWriter {
  write(line: string): unknown;
  flushSync(): void;
}

/**
 * Returns a stream that writes JSON lines in a form for people: local time, level, message, then the fields. Lines are
 * formatted in this thread: a transport of pino starts a worker, which finds no module in the bundle.
 */
export function prettyLines(out: LineWriter, hasColors: boolean): DestinationStream & { flush(): void } {
  const format = prettyFactory({
    colorize: hasColors,
    errorLikeObjectKeys: ['error'],
    ignore: 'pid',
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
  });
  return {
    write: (line) => void out.write(format(line)),
    flush: () => out.flushSync(),
  };
}
