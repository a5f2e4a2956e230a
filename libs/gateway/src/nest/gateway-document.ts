import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  CALL_STAGE,
  type CallStage,
  POLICY_SOURCE,
  type PolicySource,
  type StagedCall,
  markInfrastructureRequest,
  POLICY_REPORT,
  type PolicyReport,
} from '@apix/contracts';
import { discoverMarked } from '@apix/contracts/nest';
import type { ProtoRegistry } from '@apix/proto';
import { callMethodOf } from '@apix/proto/core';
import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Gateway } from '../http/gateway.js';
import { send } from '../http/send.js';
import { type OpenApiSource, buildOpenApi } from '../openapi/build-document.js';
import type { OpenApiDocument } from '../openapi/document.js';
import { mergeDocuments } from '../openapi/merge-documents.js';
import { assertTakesJson } from '../response/response-body.js';
import {
  GATEWAY_OPTIONS,
  GATEWAY_PROTOS,
  type GatewayModuleOptions,
} from './gateway-module-options.js';

/** The OpenAPI document of the app's gateway, built when it is first asked for. */
@Injectable()
export class GatewayDocument {
  private document: OpenApiDocument | undefined;

  constructor(
    @Inject(GATEWAY_OPTIONS) private readonly options: GatewayModuleOptions,
    @Inject(GATEWAY_PROTOS) private readonly protos: ProtoRegistry,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(Gateway) private readonly gateway: Gateway,
  ) {}

  /** Gives it to the gateway to serve, if that was asked for. @param placed where, by the path of the option. */
  serve(placed: (path: string) => string = (path) => path): void {
    const path = this.options.openapi?.path;
    if (path !== undefined) this.gateway.serveAt(placed(path), this.#send);
  }

  /** The source of the methods' policies; undefined if no module of the app has one. */
  get policies(): PolicySource | undefined {
    return discoverMarked<PolicySource>(this.discovery, POLICY_SOURCE)[0];
  }

  /** Puts the paths of another document next to those of the gateway. */
  add(document: object): void {
    const added = this.#report()?.withWhoMayCall(document) ?? document;
    this.document = mergeDocuments(this.get(), added);
  }

  get(): OpenApiDocument {
    const { protos, options, policies } = this;
    const { bindings, prefixOf } = this.gateway;
    const accepts = this.#validation();
    this.document ??= buildOpenApi(
      {
        protos,
        bindings,
        prefix: prefixOf,
        transcoding: options,
        policies,
        report: this.#report(),
        accepts,
        others: this.gateway,
      },
      options.openapi,
    );
    return this.document;
  }

  readonly #send = (req: IncomingMessage, res: ServerResponse): void => {
    markInfrastructureRequest(req);
    try {
      assertTakesJson(req);
      const bytes = Buffer.from(JSON.stringify(this.get()));
      send(res, 200, { contentType: 'application/json', bytes });
    } catch (error) {
      // For example, of a policy source of the app.
      this.gateway.refuse(res, error);
    }
  };

  /** The policies in words, if the document is to have them and a module of the app has them. */
  #report(): PolicyReport | undefined {
    if (this.options.openapi?.whoMayCall !== true) return undefined;
    return discoverMarked<PolicyReport>(this.discovery, POLICY_REPORT)[0];
  }

  /** Asks the stage that validates the requests of this app; undefined if there is none. */
  #validation(): OpenApiSource['accepts'] {
    const stages = discoverMarked<CallStage>(this.discovery, CALL_STAGE);
    const stage = stages.find(({ name }) => name === 'validation');
    if (stage === undefined) return undefined;
    return (method, message) => {
      // It throws for a message that breaks rules.
      void stage.bind(callMethodOf(method))?.onMessage?.({} as StagedCall, message);
      return true;
    };
  }
}
