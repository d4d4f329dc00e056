import { DiscoveryService, MetadataScanner, ModulesContainer, NestFactory, Reflector } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import { loadConfig } from '../platform/config/index.js';
import { MarkedMethods } from '../platform/discovery/index.js';
import { type Announced, Announcements } from '../platform/events/index.js';
import { type Route, Routes } from '../platform/http/index.js';
import { Log } from '../platform/logging/index.js';
import { ServiceModule } from './service.module.js';

const NOWHERE = 'postgres://nowhere/none';

/** What the service offers to other systems. */
export interface Declarations {
  readonly routes: readonly Route[];
  /** What webhooks hear of. */
  readonly announced: readonly Announced[];
}

/** What the modules declare. Nothing is opened and no class is instantiated. */
export async function declarations(): Promise<Declarations> {
  const opened = {
    config: loadConfig({}),
    source: new DataSource(dataSourceOptions(NOWHERE)),
    database_url: NOWHERE,
    keys: ['a key that seals nothing'],
    log: new Log('error'),
  };
  const app = await NestFactory.createApplicationContext(ServiceModule.on(opened, 'all'), {
    logger: opened.log,
    abortOnError: false,
    preview: true,
  });
  const finding = [new DiscoveryService(app.get(ModulesContainer)), new MetadataScanner(), new Reflector()] as const;
  return {
    routes: new Routes(...finding).all(),
    announced: new Announcements(new MarkedMethods(...finding)).all(),
  };
}
