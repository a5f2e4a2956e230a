import { Module } from '@nestjs/common';
import { Reports } from './reports.js';

@Module({ providers: [Reports] })
export class ReportsModule {}
