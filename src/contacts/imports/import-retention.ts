import { Injectable } from '@nestjs/common';
import { Scheduled } from '../../platform/queue/index.js';
import { DueImports } from './due-imports.cross-tenant.js';

const HOUR_SECONDS = 3600;

/** Deletes imports with their refused rows after 30 days. */
@Injectable()
export class ImportRetention {
  constructor(private readonly imports: DueImports) {}

  @Scheduled('delete-expired-imports', HOUR_SECONDS)
  async deleteExpired(): Promise<void> {
    await this.imports.deleteExpired();
  }
}
