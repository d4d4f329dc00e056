import type { Logger } from 'typeorm';

/** Takes the place of TypeORM's console, and remembers which migration has failed and why. */
export class MigrationLogger implements Logger {
  failure: string | undefined;

  logMigration(message: string): void {
    if (message.includes(' failed, error: ')) this.failure = message.replace(' failed, error: ', ': ');
  }

  logQuery(): void {}
  logQueryError(): void {}
  logQuerySlow(): void {}
  logSchemaBuild(): void {}
  log(): void {}
}
