import { startHost } from '@apix/hostx/testing';
import { type INestApplication, Module } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { CronModule } from './cron.module.js';
import { Every } from './job.decorators.js';

describe('a job that awaits app.close()', () => {
  it.each([0, 5])('goes on, and the host stops: after %d ms', async (afterMs) => {
    const said: string[] = [];
    let app: INestApplication | undefined;
    class Jobs {
      @Every('closing', '5ms') async closing(): Promise<void> {
        if (app === undefined || said.length > 0) return;
        said.push('asked');
        if (afterMs > 0) await sleep(afterMs);
        await app.close();
        said.push('went on');
      }
    }
    @Module({ imports: [CronModule.forRoot({})], providers: [Jobs] })
    class App {}
    const started = await startHost(App, { shutdownTimeout: '5s' });
    app = started.app!;
    while (started.host.state.phase === 'running') await sleep(5);
    expect(await started.stop()).toBeUndefined();
    expect(said).toEqual(['asked', 'went on']);
  });
});
