import { apixClients } from './grpc-client-load.js';
import { grpcClients } from './grpc-load.js';
import { httpClients } from './http-load.js';
import { http2Clients } from './http2-load.js';
import { streamClients } from './http-streams.js';
import { rpcClients } from './rpc-load.js';
import { type Client, type StartLoad, loadOf } from './load.js';
import type { Ports } from './ports.js';

/** A way to reach the service under test; each is put through every scenario. */
export interface Protocol {
  readonly name: string;
  /** What `app.mjs` is told to serve. */
  readonly platform: string;
  readonly load: StartLoad;
  /** For the control, without the streams on which stock Nest's shutdown hangs. Null: there is none. */
  readonly controlLoad: StartLoad | null;
}

/** HTTP/2 alone, with its own streams; `hasControl`: whether stock Nest serves the probes on that port too. */
function http2(name: string, isTls: boolean, hasControl: boolean): Protocol {
  const load =
    (withStreams: boolean): StartLoad =>
    ({ http }, thinkMs) =>
      loadOf(http2Clients(http, isTls, withStreams), thinkMs);
  return { name, platform: name, load: load(true), controlLoad: hasControl ? load(false) : null };
}

function protocol(
  name: string,
  clients: (ports: Ports, withStreams: boolean) => readonly Client[],
  platform = name,
): Protocol {
  return {
    name,
    platform,
    load: (ports, thinkMs) =>
      loadOf([...clients(ports, true), ...streamClients(ports.http)], thinkMs),
    controlLoad: (ports, thinkMs) => loadOf(clients(ports, false), thinkMs),
  };
}

export const protocols: readonly Protocol[] = [
  protocol('express', ({ http }) => httpClients(http)),
  protocol('fastify', ({ http }) => httpClients(http)),
  http2('h2c', false, false),
  http2('h2', true, true),
  protocol('grpc', ({ grpc }, withStreams) => grpcClients(grpc, withStreams)),
  {
    name: 'gateway',
    platform: 'gateway',
    // gRPC on the port of the others.
    load: ({ grpc }, thinkMs) => loadOf([...rpcClients(grpc), ...grpcClients(grpc, true)], thinkMs),
    controlLoad: null,
  },
  // Streams of a client are drained by the same server: what differs is who is connected.
  protocol('apix clients', ({ grpc }, withStreams) => apixClients(grpc, withStreams), 'grpc'),
  {
    ...protocol('own http2', ({ grpc }, withStreams) => [
      ...grpcClients(grpc, withStreams),
      ...apixClients(grpc, withStreams),
    ]),
    platform: 'grpc-http2',
    // Stock Nest has no such server.
    controlLoad: null,
  },
];
