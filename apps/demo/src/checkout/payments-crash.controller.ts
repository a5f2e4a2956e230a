import { Requires } from '@apix/authz';
import { ConflictException, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PaymentsProcess } from './payments-process.js';

/** For trying what the shop does while payments are away. */
@ApiTags('Failures')
@ApiBearerAuth()
@Controller('payments')
export class PaymentsCrashController {
  constructor(@Inject(PaymentsProcess) private readonly payments: PaymentsProcess) {}

  @ApiOperation({ summary: 'Kills payments; the host starts them again.' })
  @ApiAcceptedResponse()
  @Post('crash')
  @HttpCode(202)
  @Requires({ roles: { anyOf: ['admin'] } })
  crash(): void {
    if (!this.payments.crash()) {
      throw new ConflictException('payments do not run here; with several processes, try again');
    }
  }
}
