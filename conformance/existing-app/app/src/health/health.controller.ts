import { Controller, Get } from '@nestjs/common';
import {
  HealthCheck,
  type HealthCheckResult,
  HealthCheckService,
  HealthIndicatorService,
} from '@nestjs/terminus';
import { Store } from '../store/store.js';

@Controller('health')
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly store: Store,
  ) {}

  @Get()
  @HealthCheck()
  check(): Promise<HealthCheckResult> {
    return this.health.check([() => this.redis()]);
  }

  @Get('failing')
  @HealthCheck()
  failing(): Promise<HealthCheckResult> {
    return this.health.check([() => Promise.resolve(this.indicators.check('disk').down('full'))]);
  }

  private async redis() {
    await this.store.ping();
    return this.indicators.check('redis').up();
  }
}
