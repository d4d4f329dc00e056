import { DiscoveryService, MetadataScanner, ModulesContainer, NestFactory, Reflector } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import { loadConfig } from '../platform/config/index.js';
import { type Route, Routes } from '../platform/http/index.js';
import { Log } from '../platform/logging/index.js';
import { ServiceModule } from './service.module.js';

const NOWHERE = 'postgres://nowhere/none';

/** The routes of the service as its modules declare them. Nothing is opened and no class is instantiated. */
export async function declaredRoutes(): Promise<Route[]> {
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
  const discovery = new DiscoveryService(app.get(ModulesContainer));
  return new Routes(discovery, new MetadataScanner(), new Reflector()).all();
}
