import 'reflect-metadata';
import { setTimeout as sleep } from 'node:timers/promises';
import { AuthzModule } from '@apix/authz';
import { InfrastructureEndpoint } from '@apix/contracts';
import { CronModule, Every } from '@apix/cron';
import { GatewayModule } from '@apix/gateway';
import { GrpcModule } from '@apix/grpc';
import { HostedService, HostxModule, OnReload, OnStarted, StartupTask } from '@apix/hostx';
import { HealthModule } from '@apix/hostx/health';
import { addToRequest, fromContext, type Logger, LogxModule } from '@apix/logx';
import { ProtoModule } from '@apix/proto';
import {
  Controller,
  type DynamicModule,
  Get,
  Injectable,
  NotFoundException,
  Post,
} from '@nestjs/common';
import { Attic, Porch, Vault } from '../hostile/handlers.js';

class StockError extends Error {}

@Controller('desk')
class Desk {
  @Get('ok') ok(): string {
    fromContext().information('{Count} items for {Customer}', 3, 'Ada');
    addToRequest({ tenant: 'blue', subject: 'ada' });
    return 'ok';
  }
  @Get('missing') missing(): never {
    throw new NotFoundException('no such order', { cause: new Error('row 7 is gone') });
  }
  @Get('broken') broken(): never {
    throw new StockError('out of stock', { cause: new TypeError('no shelf') });
  }
  @Post('text') text(): never {
    throw 'just a text';
  }
}

@Controller('probe')
@InfrastructureEndpoint()
class Probe {
  @Get() check(): string {
    return 'ok';
  }
}

/** Fails once, and is started again. */
@HostedService({ name: 'outbox', restart: { initialDelay: 1, maxAttempts: 3 } })
class Outbox {
  #starts = 0;
  async start(signal: AbortSignal): Promise<void> {
    if (++this.#starts === 1) throw new StockError('the first start fails');
    await sleep(1e8, undefined, { signal }).catch(() => {});
  }
}

@Injectable()
class Chores {
  @StartupTask('migrations') migrate(): void {
    fromContext().information('migrated to {Version}', 7);
  }
  @OnStarted() started(): void {
    fromContext().warning('started with {Shelves} shelves', 0);
  }
  @OnReload() reload(): void {
    throw new Error('nothing to reload');
  }
  @Every('sweep', '1h', { runImmediately: true }) sweep(): void {
    fromContext().debug('swept');
    throw new StockError('the broom is broken');
  }
}

/** An app with every package that writes events of its own. */
export class Shop {
  static with(logger: Logger): DynamicModule {
    return {
      module: Shop,
      imports: [
        LogxModule.forRoot({ logger, http: { startLog: true } }),
        ProtoModule.forRoot({ descriptors: 'conformance/hostile/gen/strangers.binpb' }),
        AuthzModule.forRoot({ subject: () => null, unannotated: 'allow' }),
        HostxModule.forRoot(),
        GrpcModule.forRoot({ port: 0, host: '127.0.0.1' }),
        GatewayModule.forRoot({ mount: '/api' }),
        HealthModule.forRoot(),
        CronModule.forRoot(),
      ],
      controllers: [Vault, Porch, Attic, Desk, Probe],
      providers: [Outbox, Chores],
    };
  }
}
