import { Requires } from '@apix/authz';
import { Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Outbox } from './outbox.js';

/** For trying what the host does about a service that fails. */
@ApiTags('Failures')
@ApiBearerAuth()
@Controller('outbox')
export class OutboxController {
  constructor(@Inject(Outbox) private readonly outbox: Outbox) {}

  @ApiOperation({ summary: 'Crashes the outbox; the host starts it again.' })
  @ApiAcceptedResponse()
  @Post('crash')
  @HttpCode(202)
  @Requires({ roles: { anyOf: ['admin'] } })
  crash(): void {
    this.outbox.crash();
  }
}
