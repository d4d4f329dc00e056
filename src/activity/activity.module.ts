import { Module } from '@nestjs/common';
import { ActivityController } from './activity.controller.js';

/** What has happened to contacts, read from the tables of the modules below. */
@Module({ controllers: [ActivityController] })
export class ActivityModule {}
