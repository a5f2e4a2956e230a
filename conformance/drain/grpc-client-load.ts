import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '@apix/grpc-client/core';
import type { ProbeService } from '../../libs/grpc-client/src/client/probe-service.fixture.js';
import { following } from './http-streams.js';
import type { Client as LoadClient } from './load.js';
import { PROBE } from './probe.js';

/** Each has one channel; its callers share it. */
const CLIENTS = 16;
const CALLERS = 4;
/** Parts of an upload, and the pause between them, so that some are under way at a stop. */
const PARTS = 5;
const PART_MS = 2;

/** Clients of `@apix/grpc-client` without retries that make unary calls and uploads, and hold server streams open. */
export function apixClients(port: number, withStreams: boolean): readonly LoadClient[] {
  return Array.from({ length: CLIENTS }, () => {
    const client = createClient(PROBE as unknown as ProbeService, {
      endpoint: `127.0.0.1:${port}`,
      channelOptions: { 'grpc.use_local_subchannel_pool': 1 },
    });
    return [
      ...Array.from({ length: CALLERS }, () => calling(client)),
      ...(withStreams ? [following('stream', (stop) => followStream(client, stop))] : []),
    ];
  }).flat();
}

/** A caller that calls, waits for the answer, thinks and calls again. */
function calling(client: Client<ProbeService>): LoadClient {
  return async (tally, stop, think) => {
    while (!stop.aborted) {
      const dice = Math.random();
      const kind = dice < 0.1 ? 'slow' : dice < 0.2 ? 'upload' : 'now';
      const answer =
        kind === 'upload' ? client.clientStream(parts()) : client.unary({ stringValue: kind });
      const said = answer.then(({ stringValue }) => stringValue, textOf);
      await tally.request(kind, kind === 'upload' ? String(PARTS) : kind, said);
      await think();
    }
  };
}

async function* parts() {
  for (let part = 0; part < PARTS; part++) {
    yield { stringValue: 'part' };
    await sleep(PART_MS);
  }
}

/** A server stream, which has to end with OK. */
async function followStream(client: Client<ProbeService>, stop: AbortSignal): Promise<string> {
  let messages = 0;
  try {
    for await (const _message of client.serverStream({}, { signal: stop })) messages += 1;
  } catch (error) {
    return stop.aborted ? 'done' : textOf(error);
  }
  return messages > 0 ? 'told to go' : 'no message';
}

/** What the operator would read, without what grpc-js adds about times. */
function textOf(error: unknown): string {
  const { cause } = error as { readonly cause?: unknown };
  return String(cause ?? error).split('. ', 1)[0]!;
}
