import { Module } from '@nestjs/common';
import { APP_FILTER, DiscoveryModule } from '@nestjs/core';
import { ApixExceptionFilter } from './exception.filter.js';

/**
 * Installs {@link ApixExceptionFilter} for the whole app. Every module that wants it imports
 * this one; Nest makes one instance of it. A filter of the app's own that is bound more closely,
 * or with `useGlobalFilters`, comes first.
 */
@Module({
  imports: [DiscoveryModule],
  providers: [{ provide: APP_FILTER, useClass: ApixExceptionFilter }],
})
export class ExceptionsModule {}
