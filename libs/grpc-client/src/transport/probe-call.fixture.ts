import { Metadata, credentials } from '@grpc/grpc-js';
import { probe } from '../client.fixture.js';
import type { CallTransport } from './call-transport.js';
import type { Call, CallEnd } from '@apix/calls';
import type { ChannelSettings } from './channel-settings.js';
import { NetworkTransport } from './network-transport.js';

const METHOD = probe.method('/apix.testdata.Probe/Unary')!;

/** A call, and how it ended; undefined as long as it has not. */
export interface ProbeCall {
  readonly call: Call;
  end: CallEnd | undefined;
  readonly ended: Promise<CallEnd>;
}

/** Makes a call without a message over a transport. */
export function callOver(
  transport: CallTransport,
  { deadline = Infinity, waitForReady = false } = {},
): ProbeCall {
  const metadata = new Metadata({ waitForReady });
  let told: (end: CallEnd) => void;
  const ended = new Promise<CallEnd>((resolve) => (told = resolve));
  const head = { method: METHOD, path: '/a/B', metadata, deadline };
  const call = transport.open(head, {
    onHeaders: () => {},
    onMessage: () => {},
    onEnd: (end) => {
      made.end = end;
      told(end);
    },
  });
  const made: ProbeCall = { call, end: undefined, ended };
  call.halfClose();
  call.read();
  return made;
}

/** A transport in plaintext. */
export function plainTransport(
  endpoint: string,
  { stack = 'grpc-js', ...more }: Partial<ChannelSettings> = {},
): NetworkTransport {
  return new NetworkTransport({
    endpoint,
    credentials: credentials.createInsecure(),
    channelOptions: {},
    connectTimeoutMs: 20_000,
    stack,
    ...more,
  });
}
