import { describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { HostBuilder } from '../host/host-builder.js';
import type { DrainOptions } from '../http/http-options.js';
import { HttpService } from '../http/http-service.js';
import { consoleLogger } from '../log/adapters.js';
import { startHost } from '../testing/start-host.js';
import { HOST_EXTENSION, type HostExtension } from './host-extension.js';
import { HostRef } from './host-ref.js';
import { HostxModule } from './hostx.module.js';

/** A server of its own, as GatewayModule has with `port`, and what the host says when it stops. */
function appWith(drain: DrainOptions | undefined, own?: DrainOptions) {
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  @Injectable()
  class OwnServer implements HostExtension {
    readonly [HOST_EXTENSION] = true as const;
    extend(builder: HostBuilder): void {
      const service = new HttpService({
        name: 'own',
        host: '127.0.0.1',
        handler: (_request, response) => response.end(),
        ...(own && { drain: own }),
      });
      builder.addService(service, { tier: 'transport' });
    }
  }
  const options = {
    environment: 'Production',
    shutdownTimeout: '6s',
    logger: consoleLogger({ info: write, warn: write, error: write }),
    ...(drain && { drain }),
  };
  @Module({ imports: [HostxModule.forRoot(options)], providers: [OwnServer] })
  class App {}
  return { App, options, said: () => lines.filter((line) => line.includes('is stopping')) };
}

const AT_ONCE = 'hostx: Host is stopping: test ended';
const heldFor = (ms: number): string =>
  `${AT_ONCE}; it keeps serving for ${ms} ms, so that load balancers can remove it`;

describe('the drain of an app', () => {
  it.each<[string, DrainOptions | undefined, DrainOptions | undefined, string]>([
    ['holds for a server of its own', { delay: 0 }, undefined, AT_ONCE],
    ['has a delay for it', { delay: 20 }, undefined, heldFor(20)],
    ['yields to what that says', { delay: 0 }, { delay: 30 }, heldFor(30)],
  ])('%s', async (_, drain, own, expected) => {
    const { App, options, said } = appWith(drain, own);
    const { stop } = await startHost(App, options);
    const begun = performance.now();
    expect(await stop()).toBeUndefined();
    expect(said()).toEqual([expected]);
    expect(performance.now() - begun).toBeLessThan(2_000);
  });

  it('holds with a plain main too', async () => {
    const { App, said } = appWith({ delay: 0 });
    const app = await NestFactory.create(App, { logger: false });
    await app.listen(0, '127.0.0.1');
    const ref = app.get(HostRef);
    const begun = performance.now();
    ref.shutdown('test ended');
    await app.close();
    expect(said()).toEqual([AT_ONCE]);
    expect(performance.now() - begun).toBeLessThan(2_000);
  });
});
