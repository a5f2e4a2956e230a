import { describePolicies } from '@apix/proto/internal';
import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Gateway } from '../http/gateway.js';
import { describeBinding, takesRequestStream } from '../rules/binding.js';
import { GatewayDocument } from './gateway-document.js';
import { GATEWAY_OPTIONS, type GatewayModuleOptions } from './gateway-module-options.js';
import { GatewayUpstream } from './gateway-upstream.js';

/** Logs at start which methods the gateway serves, and which it does not. */
@Injectable()
export class GatewayAnnouncement implements OnApplicationBootstrap {
  private readonly logger = new Logger('Gateway');

  constructor(
    @Inject(GATEWAY_OPTIONS) private readonly options: GatewayModuleOptions,
    @Inject(Gateway) private readonly gateway: Gateway,
    @Inject(GatewayUpstream) private readonly upstream: GatewayUpstream,
    @Inject(GatewayDocument) private readonly document: GatewayDocument,
  ) {}

  onApplicationBootstrap(): void {
    const choice = this.upstream.choose();
    const where =
      choice.transport === 'network'
        ? `over the network, by ${this.upstream.open().stack ?? 'a transport of the app'}`
        : 'in this process';
    this.logger.log(`${this.callers()} the gRPC server ${where}`);
    // A server in this process checks for itself that its policies are enforced.
    if (choice.transport === 'network') this.warnOfPolicies(choice.endpoint);
    if (this.options.webSockets === undefined) this.warnOfStreams();
  }

  private callers(): string {
    const { bindings, methods, protocols } = this.gateway;
    const rules = counted(bindings.length, 'HTTP rule');
    if (methods.length === 0) return `${rules} ${bindings.length === 1 ? 'calls' : 'call'}`;
    const others = [...protocols].filter((name) => name !== 'rest').join(', ');
    const served = `${counted(methods.length, 'method')} by ${others}`;
    if (protocols.has('rest')) return `${rules}, and ${served}, call`;
    return `${served}, ${methods.length === 1 ? 'calls' : 'call'}`;
  }

  private warnOfPolicies(endpoint: string): void {
    const policies = describePolicies([
      ...new Set([...this.gateway.bindings.map(({ method }) => method), ...this.gateway.methods]),
    ]);
    if (policies === undefined || this.document.policies !== undefined) return;
    this.logger.warn(
      `this gateway does not enforce policies: the server at ${endpoint} must, for ${policies}`,
    );
  }

  private warnOfStreams(): void {
    const unserved = this.gateway.bindings.filter(takesRequestStream);
    if (unserved.length === 0) return;
    const names = unserved.map(describeBinding).join(', ');
    this.logger.warn(
      `not served because the option webSockets (@apix/gateway/websocket) is not set: ${names}`,
    );
  }
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
