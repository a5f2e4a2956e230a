import { Module } from '@nestjs/common';
import { StockCheck } from './stock-check.js';

@Module({ providers: [StockCheck] })
export class StockModule {}
