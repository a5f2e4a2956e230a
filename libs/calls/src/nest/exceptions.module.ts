import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ApixExceptionFilter } from './exception.filter.js';

/**
 * Has {@link ApixExceptionFilter} asked for every error of the app. Every module that wants it
 * imports this one; Nest makes one instance of it.
 */
@Module({
  imports: [DiscoveryModule],
  providers: [ApixExceptionFilter],
  exports: [ApixExceptionFilter],
})
export class ExceptionsModule {}
