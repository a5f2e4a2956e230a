import { Requires } from '@apix/authz';
import { Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { Outbox } from './outbox.js';

/** For trying what the host does about a service that fails. */
@Controller('outbox')
export class OutboxController {
  constructor(@Inject(Outbox) private readonly outbox: Outbox) {}

  @Post('crash')
  @HttpCode(202)
  @Requires({ roles: { anyOf: ['admin'] } })
  crash(): void {
    this.outbox.crash();
  }
}
