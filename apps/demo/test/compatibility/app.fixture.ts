import 'reflect-metadata';
import { AuthzModule, Public, Requires, type SubjectFunc } from '@apix/authz';
import { GatewayModule } from '@apix/gateway';
import { HostxModule } from '@apix/hostx';
import { HealthModule } from '@apix/hostx/health';
import { MetricsModule } from '@apix/otel';
import { LogxModule } from '@apix/logx';
import { type CollectingSink, collectingSink } from '@apix/logx/testing';
import { ProtoModule } from '@apix/proto';
import {
  Body,
  type CallHandler,
  type CanActivate,
  ClassSerializerInterceptor,
  Controller,
  type ExecutionContext,
  Get,
  type INestApplication,
  Injectable,
  type MiddlewareConsumer,
  Module,
  type NestInterceptor,
  type NestModule,
  Param,
  ParseIntPipe,
  Post,
  Session,
  UploadedFile,
  UseGuards,
  UseInterceptors,
  ValidationPipe,
  Version,
  VersioningType,
} from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { FileInterceptor } from '@nestjs/platform-express';
import { ApiOkResponse, ApiProperty } from '@nestjs/swagger';
import { Test } from '@nestjs/testing';
import { Exclude, Type } from 'class-transformer';
import { IsInt, IsString, Min } from 'class-validator';
import cookieSession from 'cookie-session';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { type Observable, map } from 'rxjs';
import { PLAIN_SHOP } from '../../../../tools/testing/plain-shop.js';

export type Platform = 'Express' | 'Fastify';

/** An app that uses what stock Nest has, with the packages that have a part in HTTP. */
export interface StockApp {
  readonly app: INestApplication;
  readonly logged: CollectingSink;
  readonly platform: Platform;
}

class OrderDto {
  @ApiProperty()
  @IsString()
  title!: string;

  @ApiProperty()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  count!: number;
}

class OrderView {
  readonly id = 'o1';
  @Exclude() readonly cost = 3;
}

/** Knows who is locked out, whatever the policies say. */
@Injectable()
class LockGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<{ headers: Record<string, unknown> }>();
    return headers['x-locked'] === undefined;
  }
}

class NobodyGuard implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

@Injectable()
class Envelope implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return context.getHandler().name === 'enveloped'
      ? next.handle().pipe(map((data: unknown) => ({ data })))
      : next.handle();
  }
}

@Controller('stock')
@UseInterceptors(ClassSerializerInterceptor)
class StockController {
  @Get('open') open(): string {
    return 'open';
  }

  @Get('staff') @Requires({ roles: { anyOf: ['staff'] } }) staff(): string {
    return 'staff';
  }

  @Get('nobody') @UseGuards(NobodyGuard) @Public() nobody(): string {
    return 'never';
  }

  @Get('number/:n') number(@Param('n', ParseIntPipe) n: number): object {
    return { twice: 2 * n };
  }

  @Post('orders') @ApiOkResponse({ type: OrderDto }) order(@Body() order: OrderDto): object {
    return { count: order.count, isDto: order instanceof OrderDto };
  }

  @Get('enveloped') enveloped(): string {
    return 'inside';
  }

  @Get('view') view(): OrderView {
    return new OrderView();
  }

  @Get('versioned') @Version('1') first(): string {
    return 'first';
  }

  @Get('versioned') @Version('2') second(): string {
    return 'second';
  }

  @Get('middleware') middleware(): string {
    return 'not this';
  }
}

interface Visits {
  visits?: number;
}

@Controller('express')
class ExpressController {
  @Get('visits') visits(@Session() session: Visits): object {
    session.visits = (session.visits ?? 0) + 1;
    return { visits: session.visits };
  }

  @Post('files') @UseInterceptors(FileInterceptor('file')) upload(
    @UploadedFile() file: { readonly originalname: string; readonly size: number },
  ): object {
    return { name: file.originalname, size: file.size };
  }
}

const callerOf: SubjectFunc = ({ metadata }) => {
  const roles = metadata.get('x-role');
  return roles.length === 0 ? null : { roles, permissions: [] };
};

/** The app, initialised but not listening, as end-to-end tests have it. */
export async function openStockApp(platform: Platform): Promise<StockApp> {
  const logged = collectingSink();
  @Module({
    imports: [
      LogxModule.forRoot({ sinks: [logged] }),
      ProtoModule.forRoot({ descriptors: PLAIN_SHOP }),
      AuthzModule.forRoot({ subject: callerOf }),
      HostxModule.forRoot(),
      HealthModule.forRoot(),
      MetricsModule.forRoot(),
      GatewayModule.forRoot({ endpoint: 'localhost:1', connectTimeout: '100ms' }),
    ],
    controllers: [StockController, ...(platform === 'Express' ? [ExpressController] : [])],
    providers: [
      { provide: APP_GUARD, useClass: LockGuard },
      { provide: APP_INTERCEPTOR, useClass: Envelope },
    ],
  })
  class AppModule implements NestModule {
    configure(consumer: MiddlewareConsumer): void {
      const answer = (_: unknown, response: { end(text: string): void }): void =>
        response.end('middleware');
      consumer.apply(answer).forRoutes('stock/middleware');
    }
  }
  const module = await Test.createTestingModule({ imports: [AppModule] }).compile();
  const app =
    platform === 'Express'
      ? module.createNestApplication()
      : module.createNestApplication(new FastifyAdapter());
  app.enableVersioning({ type: VersioningType.URI });
  app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true }));
  if (platform === 'Express') app.use(cookieSession({ keys: ['k'], secure: false }));
  await app.init();
  const instance: unknown = app.getHttpAdapter().getInstance();
  if (platform === 'Fastify') await (instance as { ready(): Promise<void> }).ready();
  return { app, logged, platform };
}
