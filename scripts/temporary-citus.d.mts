import type { TemporaryPostgres } from './temporary-postgres.mjs';

export function citusPostgres(): string | undefined;
export function startTemporaryCitus(
  programs: string,
  settings?: readonly string[],
): Promise<{
  readonly servers: readonly TemporaryPostgres[];
  readonly urls: readonly string[];
  stop(): Promise<void>;
}>;
