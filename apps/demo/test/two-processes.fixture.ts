import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Client, channelOf, createClient } from '@apix/grpc-client';
import type { DescService } from '@bufbuild/protobuf';
import { Payments } from '../src/gen/shop/payments/v1/payments_pb.js';
import { Orders } from '../src/gen/shop/v1/orders_pb.js';
import { ShopProcess, type StartOptions } from '../tour/shop-process.js';
import { giveDatabases } from './made-databases.fixture.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const HELD = fileURLToPath(new URL('held-payments.fixture.mjs', import.meta.url));

/** The shop as `npm start` runs it, with payments beside it. */
export interface TwoProcesses {
  readonly shop: ShopProcess;
  readonly http: string;
  readonly ada: string;
  readonly grace: string;
  /** Clients that show no token by themselves. */
  readonly orders: Client<typeof Orders>;
  readonly payments: Client<typeof Payments>;
  /** The lines of a request in the logs of both. */
  linesOf(requestId: string): readonly string[];
  /** Payments that end do not come up again before the returned function was called. */
  hold(): Promise<() => Promise<void>>;
  /** What `/readyz` answers. */
  readiness(): Promise<{ readonly status: number; readonly text: string }>;
  remove(): Promise<void>;
}

/** Makes what `npm start` runs. */
export function buildShop(): void {
  const nest = dirname(createRequire(import.meta.url).resolve('@nestjs/cli/package.json'));
  execFileSync(process.execPath, [join(nest, 'bin/nest.js'), 'build', 'demo'], {
    cwd: ROOT,
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: 'pipe',
  });
}

export async function startBoth(
  options: Omit<StartOptions, 'settings'> = {},
): Promise<TwoProcesses> {
  const folder = await mkdtemp(join(tmpdir(), 'payments-'));
  const hold = join(folder, 'hold');
  const data = join(folder, 'data');
  await giveDatabases(data);
  const shop = await ShopProcess.start(ROOT, {
    ...options,
    settings: {
      DATA_DIR: data,
      PAYMENTS_PROGRAM: HELD,
      PAYMENTS_HOLD: hold,
      PAYMENTS_TIMEOUT: '2m',
    },
  });
  const found = async (pattern: RegExp): Promise<string> => (await shop.said(pattern))[1]!;
  const http = await found(/REST +(\S+)/);
  const clients: object[] = [];
  const open = <S extends DescService>(service: S, endpoint: string): Client<S> => {
    const client = createClient<S>(service, { endpoint });
    clients.push(client);
    return client;
  };
  return {
    shop,
    http,
    ada: `Bearer ${await found(/ADA=(\S+)/)}`,
    grace: `Bearer ${await found(/GRACE=(\S+)/)}`,
    orders: open(Orders, await found(/gRPC {2,}(\S+)/)),
    payments: open(Payments, await found(/payments {2}(127\S+)/)),
    linesOf: (id) => shop.output.split('\n').filter((line) => line.includes(`RequestId=${id}`)),
    async hold() {
      await writeFile(hold, '');
      return () => rm(hold);
    },
    async readiness() {
      const answer = await fetch(`${http}/readyz`);
      return { status: answer.status, text: await answer.text() };
    },
    async remove() {
      await Promise.all(clients.map((client) => channelOf(client).close()));
      await shop.remove();
      await rm(folder, { recursive: true });
    },
  };
}
