import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { INFRASTRUCTURE_SERVICES } from '../policy/exemptions.js';
import { Authorizer } from '../decide/authorizer.js';
import { PolicyError } from '../errors.js';
import { HandlerPolicies, nameOf } from './handler-policies.js';
import { servedRpc } from './served-rpc.js';

type ControllerClass = abstract new (...args: never[]) => unknown;
type Handler = (...args: never[]) => unknown;

/**
 * Looks at the app once, before it serves: wrong policies on handlers and served methods that the
 * descriptors do not know stop the start, all at once.
 */
@Injectable()
export class BootCheck implements OnApplicationBootstrap {
  private readonly logger = new Logger('AuthzModule');

  constructor(
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(MetadataScanner) private readonly scanner: MetadataScanner,
    @Inject(Authorizer) private readonly authorizer: Authorizer,
    @Inject(HandlerPolicies) private readonly policies: HandlerPolicies,
  ) {}

  onApplicationBootstrap(): void {
    const handlers = [...this.handlers()];
    const mistakes = handlers.flatMap(([controller, handler]) => [
      ...this.policies.mistakes(controller, handler),
      ...this.unknownRpcs(controller, handler),
    ]);
    if (mistakes.length > 0) throw new PolicyError(mistakes);
    if (this.authorizer.unannotated === 'deny') this.listExempt(handlers);
  }

  private *handlers(): Iterable<readonly [ControllerClass, Handler]> {
    for (const { instance, metatype } of this.discovery.getControllers()) {
      if (typeof metatype !== 'function' || typeof instance !== 'object' || instance === null) {
        continue;
      }
      const prototype = Object.getPrototypeOf(instance) as Readonly<Record<string, Handler>>;
      for (const name of this.scanner.getAllMethodNames(prototype)) {
        const handler = prototype[name];
        if (handler !== undefined) yield [metatype as ControllerClass, handler];
      }
    }
  }

  private unknownRpcs(controller: ControllerClass, handler: Handler): string[] {
    return servedRpc(handler)
      .filter(({ service, rpc }) => !this.isKnown(service, rpc))
      .map(
        ({ service, rpc }) =>
          `${nameOf(controller, handler)} serves ${service}/${rpc}, which the descriptors do not ` +
          'know: build them anew, or mend the name',
      );
  }

  /** A handler may name its service in full or, as stock Nest does, without the package. */
  private isKnown(service: string, rpc: string): boolean {
    if (INFRASTRUCTURE_SERVICES.includes(service)) return true;
    return this.authorizer
      .methodNames()
      .some((name) => name.endsWith(`.${service}/${rpc}`) || name === `/${service}/${rpc}`);
  }

  private listExempt(handlers: readonly (readonly [ControllerClass, Handler])[]): void {
    const methods = this.authorizer
      .unannotatedMethods()
      .filter((name) => this.authorizer.isExempt(name));
    const endpoints = handlers
      .filter(([controller, handler]) => this.policies.isExemptEndpoint(controller, handler))
      .map(([controller, handler]) => nameOf(controller, handler));
    const all = [...INFRASTRUCTURE_SERVICES, ...methods, ...endpoints];
    this.logger.log(`no policy is asked of: ${all.join(', ')}`);
  }
}
