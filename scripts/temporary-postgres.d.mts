export interface TemporaryPostgres {
  readonly url: string;
  /** Ends it without a checkpoint, and leaves its files until `stop`. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}
export function debianPostgres(): string | undefined;
export function startTemporaryPostgres(
  programs: string,
  options?: {
    readonly settings?: readonly string[];
    readonly primary?: string;
    readonly files?: Readonly<Record<string, string>>;
  },
): Promise<TemporaryPostgres>;
