import { readFileSync } from 'node:fs';
import { Caller, Gateway } from '@apix/gateway/core';
import { ProtoRegistry } from '@apix/proto/core';
import { startEchoServer } from '../../libs/gateway/src/fixtures/echo-server.fixture.ts';
import { serve } from '../../libs/gateway/src/fixtures/serve.fixture.ts';
import { announce } from './announce.ts';

/** Serves a stream of messages from a server that stops writing while nobody reads. */
const registry = ProtoRegistry.load(new Uint8Array(readFileSync(process.env['TRANSCODING'] ?? '')));
const endpoint = process.env['BACKEND'];

async function callerHere(): Promise<Caller> {
  const { door } = await startEchoServer(registry);
  const inProcess = door.clientInterceptor({ forwarded: true, handOver: true });
  return new Caller({ endpoint: 'in-process.invalid:1', inProcess });
}

if (process.env['ROLE'] === 'backend') {
  const { endpoint: bound } = await startEchoServer(registry);
  announce({ address: () => ({ port: Number(bound.split(':').at(-1)) }) });
} else {
  const caller = endpoint === undefined ? await callerHere() : new Caller({ endpoint });
  const { server } = await serve(new Gateway(registry, caller).handle);
  announce(server);
}
