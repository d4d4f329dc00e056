import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { OpenConnections } from './open-connections.js';
import { Routes } from '../routes/index.js';

/** Provides the routes of all controllers and the open connections of the HTTP server. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [OpenConnections, Routes],
  exports: [OpenConnections, Routes],
})
export class HttpModule {}
