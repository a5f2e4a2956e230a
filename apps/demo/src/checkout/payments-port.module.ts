import { Module } from '@nestjs/common';
import { PAYMENTS_PORT, paymentsPort } from './payments-port.js';

@Module({
  providers: [{ provide: PAYMENTS_PORT, useFactory: paymentsPort }],
  exports: [PAYMENTS_PORT],
})
export class PaymentsPortModule {}
