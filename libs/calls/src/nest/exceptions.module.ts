import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ApixExceptionFilter } from './exception.filter.js';

/**
 * Registers {@link ApixExceptionFilter} for every error of the app. Every module that needs it imports this
 * one; Nest creates one instance of it.
 */
@Module({
  imports: [DiscoveryModule],
  providers: [ApixExceptionFilter],
  exports: [ApixExceptionFilter],
})
export class ExceptionsModule {}
