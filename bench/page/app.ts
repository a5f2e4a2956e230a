// A Nest app that logs at a steady pace when it is told to: `app.mjs <variant>`. `without` has no host page.
import 'reflect-metadata';
import { setInterval as ticks } from 'node:timers/promises';
import { HostPageModule } from '@apix/host-page';
import { HostxModule } from '@apix/hostx';
import { LogxModule, fromContext } from '@apix/logx';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

/** Between two bursts of events, in milliseconds. */
const PACE_MS = 10;
/** One event in so many is a warning. */
const WARNING = 100;

interface Flood {
  /** Events per second. */
  readonly rate: number;
  readonly seconds: number;
}

const [variant] = process.argv.slice(2);

@Module({
  imports: [
    HostxModule.forRoot({}),
    LogxModule.forRoot({ sinks: [{ type: 'stdout' }] }),
    ...(variant === 'without' ? [] : [HostPageModule.forRoot({ public: true })]),
  ],
})
class AppModule {}

let written = 0;

function write(): void {
  const order = `o-${++written}`;
  if (written % WARNING === 0)
    fromContext().warning('Order {OrderId} waits for {Sku}', order, 'A-1');
  else fromContext().information('{Count} items for {Customer}: {OrderId}', 3, 'Ada', order);
}

/** The events, and the CPU time that the whole process took, in microseconds. */
async function flood({ rate, seconds }: Flood): Promise<{ events: number; cpu: number }> {
  const begun = performance.now();
  const before = process.cpuUsage();
  let events = 0;
  for await (const _ of ticks(PACE_MS)) {
    const elapsed = Math.min((performance.now() - begun) / 1_000, seconds);
    while (events < Math.floor(elapsed * rate)) {
      write();
      events++;
    }
    if (elapsed === seconds) break;
  }
  const { user, system } = process.cpuUsage(before);
  return { events, cpu: user + system };
}

const app = await NestFactory.create(AppModule, { logger: false });
await app.listen(0, '127.0.0.1');
process.on('message', async (asked: Flood) => process.send!(await flood(asked)));
process.send!({ port: app.getHttpServer().address().port });
