import { HOST_EXTENSION, type HostBuilder, type HostExtension, HttpService } from '@apix/hostx';
import { Inject, Injectable } from '@nestjs/common';
import { Gateway } from '../http/gateway.js';
import { GatewayDocument } from './gateway-document.js';
import { GATEWAY_OPTIONS, type GatewayModuleOptions } from './gateway-module-options.js';

/**
 * The gateway's own HTTP server, where `port` asks for one: the hosted service `gateway`, which
 * drains as every HTTP service of the host does. Import GatewayModule after GrpcModule, so that
 * it starts once the gRPC server is ready.
 */
@Injectable()
export class GatewayServer implements HostExtension {
  readonly [HOST_EXTENSION] = true as const;
  private readonly service: HttpService | undefined;

  constructor(
    @Inject(GATEWAY_OPTIONS) options: GatewayModuleOptions,
    @Inject(GatewayDocument) document: GatewayDocument,
    @Inject(Gateway) gateway: Gateway,
  ) {
    const { port, host, http } = options;
    if (port === undefined) return;
    document.serve();
    this.service = new HttpService({
      ...http,
      name: 'gateway',
      port,
      ...(host !== undefined && { host }),
      handler: (req, res) => gateway.handle(req, res),
      withServer: (server) => {
        http?.withServer?.(server);
        server.once('close', gateway.serveUpgrades(server));
      },
    });
  }

  /** `host:port` that the gateway's own server is bound to; '' without one, or before it runs. */
  get addr(): string {
    return this.service?.addr ?? '';
  }

  extend(builder: HostBuilder): void {
    if (this.service !== undefined) builder.addService(this.service, { tier: 'transport' });
  }
}
