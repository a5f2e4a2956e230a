import {
  type Clock,
  isStatusError,
  Mistakes,
  type OutgoingStage,
  StatusError,
  systemClock,
  thrownText,
} from '@apix/contracts';
import { type CallAdmission, type Upstream, networkUpstream } from '@apix/gateway/core';
import {
  GrpcSetupError,
  ReflectionError,
  checkHealth,
  reflectDescriptors,
} from '@apix/grpc-client/core';
import { type ClientCertificates, openClientCertificates } from '@apix/grpc-client/internal';
import { NetworkTransport } from '@apix/grpc-client/transport';
import { type ChannelOptions, credentials as grpcCredentials } from '@grpc/grpc-js';
import { GatewayServerError } from '../errors.js';
import type { GatewaySettings } from '../settings/setting-table.js';
import { spokenProtocol } from './spoken-protocol.js';

/** How long a health check waits for the server, in milliseconds. */
const HEALTH_WITHIN_MS = 2_000;

/** The largest reflection message, in bytes; for a server that needs more, use a descriptor set file. */
const REFLECTION_MESSAGE_BYTES = 16 * 1024 * 1024;

/** What a call passes between the caller and the server. */
export interface BackendGate {
  /** Undefined if the gateway makes no access decisions. */
  readonly admission: CallAdmission | undefined;
  /** The stages that each admitted call passes. */
  readonly stages: readonly OutgoingStage[];
}

/** The gRPC server that is called: its connection, its certificates, and its own descriptors and health. */
export class Backend {
  readonly endpoint: string;
  readonly upstream: Upstream;
  readonly #certificates: ClientCertificates | undefined;
  readonly #channelOptions: ChannelOptions;
  readonly #asksHealth: boolean;
  readonly #clock: Clock;

  /** @throws GatewayServerError that lists every mistake in the settings. */
  constructor(
    settings: GatewaySettings,
    { admission, stages }: BackendGate,
    clock: Clock = systemClock,
  ) {
    const { backend = '', 'backend-name': name, 'connect-timeout': connectTimeout } = settings;
    const mistakes = new Mistakes();
    this.#certificates = certificatesOf(settings, mistakes);
    mistakes.throwIfAny((found) => new GatewayServerError(found.map(named)));
    this.endpoint = backend;
    this.#channelOptions =
      name === undefined
        ? {}
        : { 'grpc.ssl_target_name_override': name, 'grpc.default_authority': name };
    this.#asksHealth = settings['backend-health'] !== 'connect';
    this.#clock = clock;
    this.upstream = networkUpstream({
      endpoint: backend,
      credentials: this.#certificates?.credentials,
      certificates: this.#certificates,
      channelOptions: this.#channelOptions,
      connectTimeout,
      admission,
      stages,
    });
  }

  /** @throws ReflectionError if the server does not describe itself. */
  async reflect(): Promise<Uint8Array> {
    const transport = this.#transport(REFLECTION_MESSAGE_BYTES);
    try {
      return await reflectDescriptors(transport);
    } catch (error) {
      throw await this.#explained(error);
    } finally {
      transport.close();
    }
  }

  /** @throws Error if the server cannot be reached, or reports that it does not serve. */
  async check(): Promise<void> {
    const deadline = this.#clock.now() + HEALTH_WITHIN_MS;
    try {
      await this.upstream.waitForReady(deadline);
    } catch (error) {
      throw await this.#explained(error);
    }
    if (!this.#asksHealth) return;
    this.#healthTransport ??= this.#transport();
    const health = await checkHealth(this.#healthTransport, deadline);
    if (health === 'not-serving') throw new Error(`${this.endpoint} says that it does not serve`);
  }

  /** Whether there are certificates that {@link reload} reads. */
  get isSecure(): boolean {
    return this.#certificates !== undefined;
  }

  /** Reads the certificates again. @throws GatewayServerError if they are not valid; the current ones stay in use. */
  reload(): void {
    try {
      this.#certificates?.reload();
    } catch (cause) {
      if (!(cause instanceof GrpcSetupError)) throw cause;
      throw new GatewayServerError(cause.mistakes.map(named), { cause });
    }
  }

  close(): void {
    this.upstream.close();
    this.#healthTransport?.close();
  }

  /** The error itself, unless the server speaks TLS where the settings do not, or the reverse. */
  // Why: docs/decisions/0318
  async #explained(error: unknown): Promise<unknown> {
    const spoken = await spokenProtocol(this.endpoint);
    if (spoken === undefined || (spoken === 'tls') === this.isSecure) return error;
    const remedy =
      spoken === 'tls'
        ? `${this.endpoint} speaks TLS: set --backend-tls, or --backend-ca for an authority of your own`
        : `${this.endpoint} does not speak TLS: remove --backend-tls, --backend-ca, --backend-cert and --backend-key`;
    return withRemedy(error, remedy);
  }

  /** Separate from the upstream of the callers, so that health checks do not go through admission. */
  #healthTransport: NetworkTransport | undefined;

  #transport(maxBytes?: number): NetworkTransport {
    return new NetworkTransport({
      endpoint: this.endpoint,
      credentials: this.#certificates?.credentials ?? grpcCredentials.createInsecure(),
      channelOptions: {
        ...this.#channelOptions,
        ...(maxBytes !== undefined && { 'grpc.max_receive_message_length': maxBytes }),
      },
      connectTimeoutMs: HEALTH_WITHIN_MS,
    });
  }
}

/** An error of the same kind, as the exit code of the command depends on it. */
function withRemedy(error: unknown, remedy: string): Error {
  const message = `${thrownText(error)}; ${remedy}`;
  const options = { cause: error };
  if (isStatusError(error)) return new StatusError(error.code, message, options);
  return error instanceof ReflectionError
    ? new ReflectionError(message.replace(/^grpc: /, ''), options)
    : new Error(message, options);
}

function certificatesOf(
  settings: GatewaySettings,
  mistakes: Mistakes,
): ClientCertificates | undefined {
  const { 'backend-ca': ca, 'backend-cert': cert, 'backend-key': key } = settings;
  const isSecure = settings['backend-tls'] || [ca, cert, key].some((it) => it !== undefined);
  return isSecure ? openClientCertificates({ ca, cert, key }, mistakes) : undefined;
}

/** The same mistake, with the name that the setting has here. */
function named(mistake: string): string {
  return mistake.replace(/^tls\./, 'backend-');
}
