import { Module } from '@nestjs/common';
import { OfficeGuard } from './office.guard.js';
import { OfficeKey } from './office-key.js';

@Module({ providers: [OfficeGuard, OfficeKey], exports: [OfficeGuard, OfficeKey] })
export class OfficeModule {}
