import { Inject, Injectable } from '@nestjs/common';
import { Gateway } from '../http/gateway.js';
import type { OpenApiDocument } from '../openapi/document.js';
import type { Binding } from '../rules/binding.js';
import type { TransportKind } from '../upstream/upstream.js';
import { GatewayDocument } from './gateway-document.js';
import { GatewayUpstream } from './gateway-upstream.js';

/** The app's gateway as an injectable: what it serves, and how it reaches the gRPC server. */
@Injectable()
export class GatewayRef {
  readonly #gateway: Gateway;
  readonly #upstream: GatewayUpstream;
  readonly #document: GatewayDocument;

  constructor(
    @Inject(Gateway) gateway: Gateway,
    @Inject(GatewayUpstream) upstream: GatewayUpstream,
    @Inject(GatewayDocument) document: GatewayDocument,
  ) {
    this.#gateway = gateway;
    this.#upstream = upstream;
    this.#document = document;
  }

  /** Every HTTP method and path that is served, below {@link prefix}. */
  get routes(): readonly Binding[] {
    return this.#gateway.bindings;
  }

  /**
   * The mount path below the app's global prefix, without a slash at its end: '' for `/`. The
   * prefix is known when the app has been initialised.
   */
  get prefix(): string {
    return this.#gateway.prefix;
  }

  /**
   * How calls reach the gRPC server.
   *
   * @throws GatewayConfigError if there is no server to call.
   */
  get transport(): TransportKind {
    return this.#upstream.transport;
  }

  /**
   * Puts the paths of another OpenAPI document, such as that of `@nestjs/swagger` for hand-written
   * controllers, next to the rules in {@link openapi} and at `openapi.path`. An operation in both is
   * described as the gateway serves it. With `openapi.whoMayCall`, those of controllers say who may call
   * them. Call it when the app has been initialised, because only then the prefix is known.
   */
  addOpenApi(document: object): void {
    this.#document.add(document);
  }

  /** The rules as an OpenAPI 3.1 document, with the security that the app's policies ask for. */
  openapi(): OpenApiDocument {
    return this.#document.get();
  }
}
