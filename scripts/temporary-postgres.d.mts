export interface TemporaryPostgres {
  readonly url: string;
  /** Ends it without a checkpoint, and leaves its files until `stop`. */
  crash(): Promise<void>;
  /** Kills all of its processes with SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again, with the files that a crash has left. @throws Error if processes of before are still ending */
  start(): Promise<void>;
  stop(): Promise<void>;
}
export function debianPostgres(): string | undefined;
export function startTemporaryPostgres(
  programs: string,
  options?: {
    readonly settings?: readonly string[];
    readonly primary?: string;
    readonly files?: Readonly<Record<string, string>>;
    readonly auth?: 'trust';
  },
): Promise<TemporaryPostgres>;
