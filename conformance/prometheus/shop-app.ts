import 'reflect-metadata';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { AuthzModule } from '@apix/authz';
import { celConditions } from '@apix/authz/conditions';
import { CronModule } from '@apix/cron';
import { GatewayModule } from '@apix/gateway';
import { HostedService, HostxModule, runHost } from '@apix/hostx';
import { LogxModule } from '@apix/logx';
import { otelSink } from '@apix/logx-otel';
import { MetricsModule } from '@apix/otel';
import { ProtoModule } from '@apix/proto';
import type { DynamicModule, INestApplication, Type } from '@nestjs/common';

export const HOST = '127.0.0.1';

/** Seen from the bundle, four folders below the root of the repository. */
const SHOP = '../../../../apps/demo/gen/shop.binpb';

/** Logs to nobody: there is no global provider, so that every event is dropped, and counted. */
const sink = otelSink();

/** Fails once, right after its start, and runs from then on. */
@HostedService({ name: 'flaky', restart: { initialDelay: 1 } })
export class Flaky {
  #starts = 0;
  async start(signal: AbortSignal) {
    if (this.#starts++ === 0) throw new Error('as it does');
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  }
}

/** All that has metrics. @param calls the modules of gRPC. */
export function shopImports(...calls: readonly DynamicModule[]): DynamicModule[] {
  return [
    ProtoModule.forRoot({ descriptors: fileURLToPath(new URL(SHOP, import.meta.url)) }),
    AuthzModule.forRoot({
      subject: () => null,
      unannotated: 'deny',
      conditions: celConditions(),
    }),
    LogxModule.forRoot({ sinks: [sink], http: { skipProbes: true } }),
    CronModule.forRoot(),
    HostxModule.forRoot({ logger: null }),
    ...calls,
    GatewayModule.forRoot({ mount: '/' }),
    MetricsModule.forRoot({ sources: [sink] }),
  ];
}

/** Runs a shop until it is stopped, and says `ready <HTTP port>` once everything has started. */
export async function runShop(shop: Type): Promise<void> {
  let app: INestApplication;
  await runHost(shop, {
    nest: { logger: false },
    http: { port: 0, host: HOST },
    drain: { delay: 0 },
    configure: (created) => {
      app = created;
    },
    extend: (builder) =>
      void builder.onStarted(() => {
        const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
        process.stdout.write(`ready ${port}\n`);
      }),
  });
}
