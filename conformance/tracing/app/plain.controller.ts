import { Public, Requires } from '@apix/authz';
import { Controller, Get, Param } from '@nestjs/common';

/** Routes without a proto. */
@Controller('plain')
@Public()
export class PlainController {
  @Get('broken')
  broken(): never {
    throw new TypeError('the route is broken');
  }

  @Get('closed')
  @Requires({ roles: { anyOf: ['admin'] } })
  closed(): string {
    return 'opened';
  }

  @Get(':id')
  one(@Param('id') id: string): string {
    return id;
  }
}
