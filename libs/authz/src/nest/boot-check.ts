import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService, HttpAdapterHost, MetadataScanner, ModulesContainer } from '@nestjs/core';
import { INFRASTRUCTURE_SERVICES } from '../policy/exemptions.js';
import { Authorizer } from '../decide/authorizer.js';
import { PolicyError } from '../errors.js';
import { type FoundHandler, handlerMistakes } from './handler-mistakes.js';
import { HandlerPolicies, handlerNameOf } from './handler-policies.js';
import type { ControllerClass, Handler } from './policy-metadata.js';
import { openEntriesWarning } from './open-entries.js';
import { refuseRenegotiation } from './refuse-renegotiation.js';
import { isServed } from './served-handler.js';

/**
 * Looks at the app once, before it serves: wrong policies on handlers and served methods that the
 * descriptors do not know stop the start, all at once. What is open is listed in one warning. Its
 * TLS server renegotiates no more, so that certificates stay those that were verified.
 */
@Injectable()
export class BootCheck implements OnApplicationBootstrap {
  private readonly logger = new Logger('AuthzModule');

  constructor(
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(MetadataScanner) private readonly scanner: MetadataScanner,
    @Inject(Authorizer) private readonly authorizer: Authorizer,
    @Inject(HandlerPolicies) private readonly policies: HandlerPolicies,
    @Inject(HttpAdapterHost) private readonly http: HttpAdapterHost,
    @Inject(ModulesContainer) private readonly modules: ModulesContainer,
  ) {}

  onApplicationBootstrap(): void {
    refuseRenegotiation(this.http.httpAdapter?.getHttpServer());
    const handlers = [...this.handlers()];
    const mistakes = handlers.flatMap((found) => handlerMistakes(found, this.authorizer));
    if (mistakes.length > 0) throw new PolicyError(mistakes);
    if (this.authorizer.unannotated === 'deny') this.listExempt(handlers);
    if (!this.isServing()) return;
    const warning = openEntriesWarning(this.authorizer, this.policies, handlers);
    if (warning !== undefined) this.logger.warn(warning);
  }

  /** Whether this is an app with HTTP or a microservice, and not a context that serves nothing. */
  private isServing(): boolean {
    let isServing = Boolean(this.http.httpAdapter);
    // Replays what is there, and is unsubscribed before it could tell of more.
    const listening = this.modules.getRpcTargetRegistry().subscribe(() => (isServing = true));
    listening.unsubscribe();
    return isServing;
  }

  private *handlers(): Iterable<FoundHandler> {
    for (const { metatype } of this.discovery.getControllers()) {
      if (typeof metatype !== 'function') continue;
      const controller = metatype as unknown as ControllerClass;
      const prototype = controller.prototype as Readonly<Record<string, Handler>>;
      for (const key of this.scanner.getAllMethodNames(prototype)) {
        const handler = prototype[key];
        if (handler !== undefined) yield { controller, key, handler };
      }
    }
  }

  private listExempt(handlers: readonly FoundHandler[]): void {
    const methods = this.authorizer
      .unannotatedMethods()
      .filter((name) => this.authorizer.isExempt(name));
    const endpoints = handlers
      .filter(({ handler }) => isServed(handler))
      .filter(({ controller, handler }) => this.policies.isExemptEndpoint(controller, handler))
      .map(({ controller, key }) => handlerNameOf(controller, key));
    const all = new Set([...INFRASTRUCTURE_SERVICES, ...methods, ...endpoints]);
    this.logger.log(`methods and handlers that need no policy: ${[...all].join(', ')}`);
  }
}
