import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Routes } from './routes.js';

@Global()
@Module({ imports: [DiscoveryModule], providers: [Routes], exports: [Routes] })
export class HttpModule {}
