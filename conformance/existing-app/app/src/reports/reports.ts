import { Injectable } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { settings } from '../settings.js';
import { Supplier } from '../store/supplier.js';

@Injectable()
export class Reports {
  #isUnderWay = false;

  constructor(private readonly supplier: Supplier) {}

  @Cron(CronExpression.EVERY_SECOND)
  async report(): Promise<void> {
    if (!settings.reports || this.#isUnderWay) return;
    this.#isUnderWay = true;
    await this.supplier.order('cron');
  }
}
