import { AsyncLocalStorage } from 'node:async_hooks';
import { inspect } from 'node:util';
import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, destination, type Logger, pino } from 'pino';
import type { LogFormat, LogLevel } from './log-options.js';
import { isOutage, messageOf } from './outage-errors.js';
import { Outages } from './outages.js';
import { prettyLines } from './pretty-lines.js';
import { RepeatedLines } from './repeated-lines.js';

const context = new AsyncLocalStorage<Readonly<Record<string, unknown>>>();

/** Runs `work` with `fields`, e.g. the request's ID, added to every line that it logs. */
export const withLogFields = <R>(fields: Readonly<Record<string, unknown>>, work: () => R): R =>
  context.run({ ...context.getStore(), ...fields }, work);

/** Names of fields whose values are never logged, up to two levels deep. */
const hidden = new Set(['password', 'private_key', 'token', 'secret', 'authorization', 'cookie']);

/** Adds names of fields whose values are never logged, also by logs that exist already. */
export function hideInLogs(names: readonly string[]): void {
  for (const name of names) hidden.add(name);
}

/**
 * Writes lines to standard error, with the fields of the request or job and without secrets: JSON, or text for people in
 * a terminal. Equal warnings and errors within ten seconds are written once; the next one has their number as `repeated`. Nest
 * logs to it, too.
 */
export class Log implements LoggerService {
  private readonly output: DestinationStream;
  private readonly lines = new RepeatedLines();
  private readonly outages = new Outages(this.lines);
  private made: { readonly hidden: number; readonly pino: Logger } | undefined;

  constructor(
    private level: LogLevel,
    format: LogFormat = 'json',
  ) {
    this.output = openOutput(format);
  }

  /** Made again after {@link hideInLogs}, because pino compiles the names. */
  private get pino(): Logger {
    if (this.made?.hidden !== hidden.size) this.made = { hidden: hidden.size, pino: this.make() };
    return this.made.pino;
  }

  private make(): Logger {
    const paths = [...hidden].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
    return pino(
      {
        level: this.level,
        base: { pid: process.pid },
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
        serializers: { error: describeError },
        redact: { paths, censor: '[hidden]' },
        mixin: () => ({ ...context.getStore() }),
      },
      this.output,
    );
  }

  info(message: string, fields: object = {}): void {
    this.pino.info(fields, message);
  }

  warn(message: string, ...fields: unknown[]): void {
    this.write('warn', message, fieldsOf(fields));
  }

  /** Nest passes an error that it throws afterwards: whoever catches it reports it. */
  error(message: string | Error, ...fields: unknown[]): void {
    if (message instanceof Error) this.pino.debug({ error: message }, 'Nest could not start');
    else this.write('error', message, fieldsOf(fields));
  }

  /**
   * Something that the process uses cannot be reached. Written once, until it is {@link restored}.
   * @param name such as `PostgreSQL outreach at db:5432`
   */
  lost(name: string, error: unknown, fields: object = {}): void {
    if (!this.outages.begin(name)) return;
    this.pino.warn({ to: name, reason: messageOf(error), ...fields }, 'connection lost');
  }

  /** It is reached. Written once after it was {@link lost}. */
  restored(name: string): void {
    const afterMs = this.outages.end(name);
    if (afterMs !== undefined) this.pino.warn({ to: name, after_ms: afterMs }, 'connection restored');
  }

  debug(message: string, ...fields: unknown[]): void {
    this.pino.debug(fieldsOf(fields), message);
  }

  /** Nest logs the steps of its start here; they are of interest to developers only. */
  log(message: unknown, ...fields: unknown[]): void {
    this.pino.debug(fieldsOf(fields), String(message));
  }

  verbose(message: unknown, ...fields: unknown[]): void {
    this.log(message, ...fields);
  }

  private write(level: 'warn' | 'error', message: string, fields: object): void {
    if (!this.pino.isLevelEnabled(level)) return;
    const repeated = this.lines.admit(keyOf(level, message, fields));
    if (repeated === undefined) return;
    this.pino[level](repeated > 0 ? { ...fields, repeated } : fields, message);
  }

  /** Logs nothing from now on. */
  close(): void {
    this.flush();
    this.level = 'silent';
    this.pino.level = 'silent';
  }

  /** Writes the buffered lines. */
  flush(): void {
    this.pino.flush();
  }
}

/** What a write to a terminal that was closed, or to a pipe that nobody reads, fails with. */
const CLOSED_OUTPUT = ['EIO', 'EPIPE'];

function openOutput(format: LogFormat): DestinationStream {
  const isPretty = format === 'pretty' || (format === 'auto' && process.stderr.isTTY);
  const out = destination({ fd: 2, sync: isPretty });
  out.on('error', (error: NodeJS.ErrnoException) => {
    if (!CLOSED_OUTPUT.includes(error.code ?? '')) throw error;
  });
  return isPretty ? prettyLines(out, process.stderr.isTTY && process.stderr.hasColors()) : out;
}

/** What makes lines equal. During an outage all work fails for the same reason, so its other fields do not count. */
function keyOf(level: string, message: string, fields: object): string {
  const { error, ...others }: { readonly error?: unknown } = fields;
  const reason = messageOf(error);
  if (isOutage(error)) return `${level} ${message} ${reason}`;
  return inspect([level, message, reason, others, context.getStore()], { breakLength: Infinity, depth: 3 });
}

/**
 * The logged fields of an error. Others are left out: libraries attach connections, options and credentials to theirs. The stack
 * of an outage says nothing.
 */
function describeError(error: unknown): object {
  const message = messageOf(error);
  if (!(error instanceof Error)) return { message };
  const { name: type, stack, cause } = error;
  const code = 'code' in error ? String(error.code) : undefined;
  if (isOutage(error)) return { type, message, code };
  return { type, message, code, stack, cause: cause instanceof Error ? cause.stack : undefined };
}

/** Nest passes a stack and the name of its logging class after the message; our code passes one object. */
function fieldsOf(fields: readonly unknown[]): object {
  const [first] = fields;
  if (fields.length === 1 && typeof first === 'object' && first !== null) return first;
  return fields.length > 0 ? { details: fields.map(String) } : {};
}
