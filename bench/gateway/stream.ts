import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Gateway, type Upstream, inProcessUpstream, networkUpstream } from '@apix/gateway/core';
import { ProtoRegistry } from '@apix/proto/core';
import { startEchoServer } from '../../libs/gateway/src/fixtures/echo-server.fixture.ts';
import { serve } from '../../libs/gateway/src/fixtures/serve.fixture.ts';
import { announce } from './announce.ts';

/** Serves a stream of messages from a server that stops writing while nobody reads. */
const registry = ProtoRegistry.load(new Uint8Array(readFileSync(process.env['TRANSCODING'] ?? '')));
const endpoint = process.env['BACKEND'];

async function upstreamHere(): Promise<Upstream> {
  const { door } = await startEchoServer(registry);
  return inProcessUpstream(door);
}

if (process.env['ROLE'] === 'backend') {
  const { endpoint: bound } = await startEchoServer(registry);
  announce({ address: () => ({ port: Number(bound.split(':').at(-1)) }) });
} else {
  const upstream =
    endpoint === undefined
      ? await upstreamHere()
      : networkUpstream({
          endpoint,
          stack: process.env['STACK'] === 'http2' ? 'http2' : 'grpc-js',
        });
  const gateway = new Gateway(registry, upstream);
  const { server } = await serve(gateway.handle);
  const path = process.env['SOCKET'];
  // What a socket of the file system keeps is a fraction of a stream, where TCP may take all of it.
  if (path !== undefined) createServer(gateway.handle).listen(path, () => announce(server));
  else announce(server);
}
