import { Module } from '@nestjs/common';
import { BlacklistModule } from '../blacklist/index.js';
import { sql } from '../platform/database/index.js';
import { IdempotencyStore } from '../platform/idempotency/index.js';
import { declareErasedContacts } from '../webhooks/index.js';
import { DueErasures } from './erasure/due-erasures.cross-tenant.js';
import { ErasureController } from './erasure/erasure.controller.js';
import { ErasureSearches } from './erasure/erasure-searches.js';
import { ErasureService } from './erasure/erasure.service.js';
import { Traces } from './erasure/traces.js';
import { ErasureReports } from './erasure/waiting-erasures.cross-tenant.js';
import { PersonalDataExportController } from './export/personal-data-export.controller.js';
import { PersonalDataExport } from './export/personal-data-export.service.js';
import { HistoryClockRetention } from './retention/history.clock-retention.js';
import { HistoryRetention } from './retention/history-retention.cross-tenant.js';

declareErasedContacts(
  (scope) => sql`SELECT contact_id FROM erasures WHERE workspace_id = ${scope} AND completed_at IS NULL`,
);

/** What the service holds on a person: shows it as one document, and erases it. */
@Module({
  imports: [BlacklistModule],
  controllers: [ErasureController, PersonalDataExportController],
  providers: [ErasureReports, ErasureService, HistoryClockRetention, IdempotencyStore, PersonalDataExport, Traces],
  exports: [Traces],
})
export class PersonalDataModule {}

/** For workers only: completes erasures, and deletes what has expired. */
@Module({
  imports: [PersonalDataModule],
  providers: [DueErasures, ErasureSearches, HistoryRetention],
})
export class PersonalDataWorkerModule {}
