import { Server, type TLSSocket } from 'node:tls';
import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import { INFRASTRUCTURE_SERVICES } from '../policy/exemptions.js';
import { Authorizer } from '../decide/authorizer.js';
import { PolicyError } from '../errors.js';
import { exemptHandlerMistakes, handlerMistakes } from './handler-mistakes.js';
import { type FoundHandler, HandlerSearch } from './handler-search.js';
import { ResourceLoaders } from './resource-loaders.js';
import { HandlerPolicies, handlerNameOf } from './handler-policies.js';
import { closedEntriesNote, idlePoliciesWarning, openEntriesWarning } from './open-entries.js';

/**
 * Checks the app once, before it serves: wrong policies on handlers and served methods that the descriptors
 * do not know stop the start, with one error for all. Everything that is open is listed in one warning.
 * Also disables renegotiation of the TLS server, so that the verified certificates stay in effect.
 */
@Injectable()
export class BootCheck implements OnApplicationBootstrap {
  private readonly logger = new Logger('AuthzModule');

  constructor(
    @Inject(HandlerSearch) private readonly search: HandlerSearch,
    @Inject(Authorizer) private readonly authorizer: Authorizer,
    @Inject(HandlerPolicies) private readonly policies: HandlerPolicies,
    @Inject(HttpAdapterHost) private readonly http: HttpAdapterHost,
    @Inject(ModulesContainer) private readonly modules: ModulesContainer,
    @Inject(ResourceLoaders) private readonly loaders: ResourceLoaders,
  ) {}

  onApplicationBootstrap(): void {
    refuseRenegotiation(this.http.httpAdapter?.getHttpServer());
    const handlers = [...this.search.handlers()];
    const mistakes = [
      ...handlers.flatMap((found) => handlerMistakes(found, this.authorizer, this.policies)),
      ...this.loaders.mistakes(),
      ...exemptHandlerMistakes(this.authorizer.methods.exemptions.handlers, handlers),
    ];
    if (mistakes.length > 0) throw new PolicyError(mistakes);
    const isStrict = this.authorizer.unannotated === 'deny';
    if (isStrict) this.listExempt(handlers);
    if (!this.isServing()) return;
    this.warn(openEntriesWarning(this.authorizer, this.policies, handlers));
    this.warn(idlePoliciesWarning(handlers));
    const closed = isStrict ? closedEntriesNote(this.policies, handlers) : undefined;
    if (closed !== undefined && this.authorizer.mode === 'enforce') this.logger.log(closed);
  }

  private warn(warning: string | undefined): void {
    if (warning !== undefined) this.logger.warn(warning);
  }

  /** Whether this is an app with HTTP or a microservice, and not a context that serves nothing. */
  private isServing(): boolean {
    let isServing = Boolean(this.http.httpAdapter);
    // Replays what is known already, and is unsubscribed before it could emit more.
    const listening = this.modules.getRpcTargetRegistry().subscribe(() => (isServing = true));
    listening.unsubscribe();
    return isServing;
  }

  private listExempt(handlers: readonly FoundHandler[]): void {
    const methods = this.authorizer.methods
      .unannotated()
      .filter((name) => this.authorizer.methods.exemptions.has(name));
    const endpoints = handlers
      .filter(({ entry }) => entry !== 'none' && entry !== 'hook')
      .filter(({ controller, handler }) => this.policies.isExemptEndpoint(controller, handler))
      .map(({ controller, key }) => handlerNameOf(controller, key));
    const all = new Set([...INFRASTRUCTURE_SERVICES, ...methods, ...endpoints]);
    this.logger.log(`methods and handlers that need no policy: ${[...all].join(', ')}`);
  }
}

/**
 * Ends every connection of a TLS server whose client begins another handshake, as TLS 1.2 lets it:
 * a certificate that comes in one is the socket's before it was verified, and stays so when that
 * fails, while `authorized` still speaks of the first one. Does nothing for a server without TLS.
 */
// Node does the same for HTTP/2, and TLS 1.3 has no such handshake.
function refuseRenegotiation(server: unknown): void {
  if (!(server instanceof Server)) return;
  server.on('secureConnection', (socket: TLSSocket) => {
    socket.disableRenegotiation();
    // A listener of the app for errors of clients might let the connection continue.
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'ERR_TLS_RENEGOTIATION_DISABLED') socket.destroy();
    });
  });
}
