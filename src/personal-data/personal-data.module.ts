import { Module } from '@nestjs/common';
import { PersonalDataExportController } from './export/personal-data-export.controller.js';
import { PersonalDataExport } from './export/personal-data-export.service.js';

/** What the service holds on a person, read from the tables of the modules below. */
@Module({ controllers: [PersonalDataExportController], providers: [PersonalDataExport] })
export class PersonalDataModule {}
