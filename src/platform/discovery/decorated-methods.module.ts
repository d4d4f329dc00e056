import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { DecoratedMethods } from './decorated-methods.js';

/** Gives {@link DecoratedMethods}. */
@Module({ imports: [DiscoveryModule], providers: [DecoratedMethods], exports: [DecoratedMethods] })
export class DecoratedMethodsModule {}
