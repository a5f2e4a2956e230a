import type { DescMethod, DescService } from '@bufbuild/protobuf';
import { Mistakes } from '@apix/contracts';
import {
  followCalls,
  type AnyTable,
  isRecord,
  objectWith,
  type OptionTable,
  type ReadOptions,
  readOptions,
} from '@apix/contracts/internal';
import { callMethodOf } from '@apix/proto/core';
import { setupError } from '../errors.js';
import { makeStreamCall } from '../call/call-stream.js';
import { makeUnaryCall } from '../call/call-unary.js';
import type { ClientCallOptions } from '../call/call-options.js';
import { ClientChannel } from '../call/client-channel.js';
import type { MethodPlan } from '../call/method-plan.js';
import {
  CALL_DEFAULTS,
  type CallDefaults,
  CHANNEL_INIT,
  type ChannelInit,
  resolveChannel,
  resolveDefaults,
} from './client-options.js';
import type { Client } from './client-types.js';
import { authorizationStage, checkAuthorization } from '../inherit/authorization.js';
import { ClientChain } from '../stages/client-chain.js';
import type { ClientStage } from '../stages/client-stage.js';
import { checkShared } from '../service-config/channel-config.js';
import { retriesOf } from '../service-config/service-retries.js';
import { InProcessTransport } from '../transport/in-process-transport.js';
import { NetworkTransport } from '../transport/network-transport.js';

/** The options of {@link createClient}. */
export interface ClientInit<S extends DescService> extends ChannelInit, CallDefaults<S> {
  /**
   * A channel that is shared with other clients, instead of `endpoint` or `server`. Default: its own
   * channel.
   */
  readonly channel?: ClientChannel | undefined;
}

/** The allowed values of the options of a client. */
export const CLIENT_INIT = {
  ...CHANNEL_INIT,
  ...CALL_DEFAULTS,
  channel: objectWith<ClientChannel>('a channel of openChannel', 'begin', 'open'),
} satisfies OptionTable<ClientInit<DescService>>;

/**
 * The way to a server, for several clients. Nothing is sent before the first call.
 *
 * @throws GrpcSetupError that lists every mistake in the options.
 */
export function openChannel(init: ChannelInit): ClientChannel {
  const mistakes = new Mistakes();
  const read = readInit(CHANNEL_INIT, init, mistakes);
  return channelFor(resolveChannel(init, read, undefined, mistakes));
}

/** @throws GrpcSetupError for options that are not an object. */
function readInit<T extends AnyTable>(table: T, init: object, mistakes: Mistakes): ReadOptions<T> {
  const read = readOptions(table, init, '', mistakes);
  if (!isRecord(init)) mistakes.throwIfAny(setupError);
  return read;
}

function channelFor({
  maxReceiveBytes,
  lostCalls,
  ...resolved
}: ReturnType<typeof resolveChannel>): ClientChannel {
  return new ClientChannel(
    'server' in resolved
      ? new InProcessTransport(resolved.server, { maxReceiveBytes })
      : new NetworkTransport(resolved),
    lostCalls,
  );
}

/**
 * A client of a generated service: `await client.get({ name })`,
 * `for await (const each of client.watch({}))`. Close it with `channelOf(client).close()`, or the channel
 * that it was given.
 *
 * @throws GrpcSetupError that lists every mistake in the options.
 */
export function createClient<S extends DescService>(service: S, init: ClientInit<S>): Client<S> {
  const mistakes = new Mistakes();
  const read = readInit(CLIENT_INIT, init, mistakes);
  const { authorization, stages = [], endpoint, server } = init;
  const settings = resolveDefaults(service, read, mistakes);
  const retried = retriesOf(service, init);
  if (init.channel !== undefined) {
    if (endpoint !== undefined || server !== undefined) {
      mistakes.add(
        'channel',
        'cannot be combined with endpoint or server; a client calls one of them',
      );
    }
    checkShared(init, retried, mistakes);
  }
  const channel = init.channel ?? channelFor(resolveChannel(init, read, retried, mistakes));
  if (authorization !== undefined) checkAuthorization(authorization, channel, mistakes);
  if (mistakes.found.length > 0 && init.channel === undefined) void channel.close();
  mistakes.throwIfAny(setupError);
  const all = authorization === undefined ? stages : [authorizationStage(authorization), ...stages];
  followCalls();
  const plans = service.methods.map((desc): MethodPlan => {
    const method = callMethodOf(desc);
    const chain = new ClientChain(all, method);
    const lost = channel.lostCalls(desc);
    return { desc, method, channel, chain, lost, ...settings(desc.localName) };
  });
  const client = Object.fromEntries(plans.map((plan) => [plan.desc.localName, callerOf(plan)]));
  made.set(client, { channel, plans });
  return client as Client<S>;
}

/**
 * Adds stages that the calls of a client pass first from now on.
 *
 * @throws TypeError for an object that `createClient` has not created.
 */
export function putAround(client: object, stages: readonly ClientStage[]): void {
  for (const plan of partsOf(client).plans) plan.chain = plan.chain.inside(stages, plan.method);
}

/**
 * The channel that a client calls over: its state, and its end.
 *
 * @throws TypeError for an object that `createClient` has not created.
 */
export function channelOf(client: object): ClientChannel {
  return partsOf(client).channel;
}

interface ClientParts {
  readonly channel: ClientChannel;
  readonly plans: readonly MethodPlan[];
}

const made = new WeakMap<object, ClientParts>();

function partsOf(client: object): ClientParts {
  const parts = made.get(client);
  if (parts === undefined) throw new TypeError('grpc: channelOf needs a client of createClient');
  return parts;
}

type MethodCaller = (request: unknown, options?: ClientCallOptions) => unknown;

const CALLERS: Readonly<
  Record<DescMethod['methodKind'], typeof makeUnaryCall | typeof makeStreamCall>
> = {
  unary: makeUnaryCall,
  client_streaming: makeUnaryCall,
  server_streaming: makeStreamCall,
  bidi_streaming: makeStreamCall,
};

function callerOf(plan: MethodPlan): MethodCaller {
  const call = CALLERS[plan.desc.methodKind];
  return (request, options) => call(plan, request, options);
}
