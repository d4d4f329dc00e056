export { ERASED_TABLES, type ErasedTable } from './erasure/erased-tables.js';
export { ENCRYPTED_SUBJECTS } from './erasure/encrypted-subjects.js';
export { Erasure } from './erasure/erasure.entity.js';
export { lateErasures, type WaitingErasures } from './erasure/waiting-erasures.cross-tenant.js';
export { PersonalDataModule, PersonalDataWorkerModule } from './personal-data.module.js';
