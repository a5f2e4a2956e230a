import { Code, InfrastructureEndpoint, StatusError } from '@apix/contracts';
import {
  Body,
  type CanActivate,
  Controller,
  ForbiddenException,
  Get,
  HttpCode,
  HttpException,
  Injectable,
  NotFoundException,
  Param,
  ParseIntPipe,
  Post,
  Res,
  ServiceUnavailableException,
  StreamableFile,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { fromContext } from '../context/logger-context.js';
import type { Logger } from '../logger/logger.js';
import { InjectLogger } from './inject-logger.decorator.js';

/** An unexpected failure, with a cause. */
export function crash(where: string, more: object = {}): never {
  throw Object.assign(new Error(`${where} broke`, { cause: new Error('disk full') }), more);
}

@Injectable()
class DenyingGuard implements CanActivate {
  canActivate(): boolean {
    throw new ForbiddenException();
  }
}

type Reply = ServerResponse & { readonly raw?: ServerResponse };

@Controller('orders')
export class OrdersController {
  constructor(@InjectLogger('orders') private readonly log: Logger) {}

  @Get()
  list(): string {
    this.log.information('listing');
    return 'none';
  }

  @Get('file')
  file(): StreamableFile {
    return new StreamableFile(Readable.from([Buffer.alloc(1000), Buffer.alloc(500)]));
  }

  @Get('raw')
  raw(@Res() reply: Reply): void {
    const response = reply.raw ?? reply;
    response.writeHead(202, { 'content-type': 'text/plain' });
    response.write('ab');
    response.end('cd');
  }

  @Get('slow')
  slow(): Promise<string> {
    return new Promise(() => {});
  }

  @Get('number/:id')
  number(@Param('id', ParseIntPipe) id: number): number {
    return id;
  }

  @Get(':id')
  async find(@Param('id') id: string): Promise<{ id: string }> {
    await delay(1);
    fromContext().information('found {Id}', id);
    return { id };
  }

  @Post()
  async create(@Body() body: { readonly id: string }): Promise<{ id: string }> {
    await delay(1);
    this.log.information('created {Id}', body.id);
    return { id: body.id };
  }

  @Post('silent')
  @HttpCode(204)
  silent(): void {}
}

@Controller('failing')
export class FailingController {
  @Get('handler')
  handler(): never {
    crash('handler');
  }

  @Get('client')
  client(): never {
    crash('client', { statusCode: 404 });
  }

  @Get('late')
  async late(): Promise<never> {
    await delay(1);
    crash('handler');
  }

  @Get('text')
  text(): never {
    // Anything can be thrown.
    throw 'just a text';
  }

  @Get('guard')
  @UseGuards({ canActivate: () => crash('guard') })
  guard(): void {}

  @Get('pipe/:id')
  @UsePipes({ transform: () => crash('pipe') })
  pipe(@Param('id') _id: string): void {}

  @Get('interceptor')
  @UseInterceptors({ intercept: () => crash('interceptor') })
  interceptor(): void {}

  @Get('denied')
  @UseGuards(DenyingGuard)
  denied(): void {}

  @Get('missing')
  missing(): never {
    throw new NotFoundException('no such order', { cause: new Error('row 7 is gone') });
  }

  @Get('status')
  status(): never {
    throw new StatusError(Code.NOT_FOUND, 'no such order');
  }

  @Get('unavailable')
  unavailable(): never {
    throw new ServiceUnavailableException('come back later', { cause: new Error('no database') });
  }

  @Get('unavailable-status')
  unavailableStatus(): never {
    throw new StatusError(Code.UNAVAILABLE, 'come back later', { cause: new Error('no database') });
  }

  @Get('teapot')
  teapot(): never {
    throw new HttpException('short and stout', 418);
  }
}

@Controller('healthz')
@InfrastructureEndpoint()
export class ProbeController {
  @Get()
  check(): string {
    return 'ok';
  }
}
