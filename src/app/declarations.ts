import { DiscoveryService, MetadataScanner, ModulesContainer, NestFactory, Reflector } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { DecoratedMethods } from '@outreach/decorated-methods';
import { Log } from '@outreach/logging';
import { type Route, Routes } from '@outreach/http-api/routes';
import { dataSourceOptions } from '../../ormconfig.js';
import { type PublicEventDefinition, PublicEvents } from '../platform/events/index.js';

import { ServiceModule } from './service.module.js';
import { loadConfig } from './settings.js';

const UNUSED_URL = 'postgres://unused/unused';

/** What the service offers to other systems, as its modules declare it. */
export interface Declarations {
  readonly routes: readonly Route[];
  /** The events that webhooks can subscribe to. */
  readonly publicEvents: readonly PublicEventDefinition[];
}

/** Reads the declarations of all modules. Connects to nothing, and creates no provider. */
export async function declarations(): Promise<Declarations> {
  const opened = {
    config: loadConfig({}),
    source: new DataSource(dataSourceOptions(UNUSED_URL)),
    queue_database_url: UNUSED_URL,
    keys: ['a key that encrypts nothing'],
    log: new Log('error'),
  };
  const app = await NestFactory.createApplicationContext(ServiceModule.on(opened, 'all'), {
    logger: opened.log,
    abortOnError: false,
    preview: true,
  });
  const discovery = [new DiscoveryService(app.get(ModulesContainer)), new MetadataScanner(), new Reflector()] as const;
  return {
    routes: new Routes(...discovery).all(),
    publicEvents: new PublicEvents(new DecoratedMethods(...discovery)).all(),
  };
}
