import { Requires } from '@apix/authz';
import { Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { PaymentsProcess } from './payments-process.js';

/** For trying what the shop does while payments are away. */
@Controller('payments')
export class PaymentsCrashController {
  constructor(@Inject(PaymentsProcess) private readonly payments: PaymentsProcess) {}

  @Post('crash')
  @HttpCode(202)
  @Requires({ roles: { anyOf: ['admin'] } })
  crash(): void {
    this.payments.crash();
  }
}
