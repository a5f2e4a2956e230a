import { grpcArguments, hasControllerMethod } from '@apix/calls/internal-nest';
import { type WorkOrigin } from '@apix/contracts';
import { STAGED_PART, type StagedPart } from '@apix/contracts/internal';
import { type ExecutionContext, Inject, Injectable, type NestInterceptor } from '@nestjs/common';
import { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import type { Transport } from '@nestjs/microservices';
import { trace } from '@opentelemetry/api';
import { defer, type Observable, tap } from 'rxjs';
import { MessageSpans } from '../../messages/message-spans.js';
import { observedIn } from '../../spans/follow-observable.js';
import { OpenSpan } from '../../spans/open-span.js';
import { recordFailure } from '../../tracing/span-failure.js';
import { Tracing } from '../../tracing/tracing.js';
import { TRACING_OPTIONS } from '../tokens.js';
import { originOfMessage, originOfSocketMessage, PATTERN_METADATA } from './message-origin.js';
import type { TracingModuleOptions } from './tracing-module-options.js';

/** The spans of messages of the app: those that the host follows, and those that no host does. */
@Injectable()
export class MessagesDoor {
  /** Null if the app turned them off. */
  readonly spans: MessageSpans | null;

  constructor(
    @Inject(TRACING_OPTIONS) { messages = {} }: TracingModuleOptions,
    @Inject(Tracing) tracing: Tracing,
    @Inject(ApplicationConfig) config: ApplicationConfig,
    @Inject(ModulesContainer) modules: ModulesContainer,
  ) {
    this.spans = messages === false ? null : new MessageSpans(tracing, messages);
    // Before the app is initialised, when Nest makes its handlers.
    if (this.spans !== null) traceMessages(config, modules, this.spans);
  }
}

/** The type of Nest 12's `PreRequestHook`, which runs only for messages of transports. */
type MessageHook = (
  context: ExecutionContext,
  next: () => Observable<unknown>,
) => Observable<unknown>;

/** Runs a hook around every message of an app. */
interface HookedConfig {
  registerPreRequestHook(hook: MessageHook): void;
}

/** A call of gRPC has its span from its own server. */
const NOT_FOR_CALLS: StagedPart = {};

/** The metadata of `@WebSocketGateway`. */
const GATEWAY_METADATA = 'websockets:is_gateway';
/** For which transport alone a handler is, of `@nestjs/microservices`, which an app need not have. */
const TRANSPORT_METADATA = 'microservices:transport';
const GRPC: Transport.GRPC = 4;

/**
 * Gives each message a span, unless the host has given it one. With Nest 12 the span includes guards,
 * except those of gateways; Nest 11 has no hook around guards.
 */
function traceMessages(
  config: ApplicationConfig,
  modules: ModulesContainer,
  spans: MessageSpans,
): void {
  const onMessage: MessageHook = (context, next) =>
    grpcArguments(context.getArgs()) === undefined
      ? inSpan(spans, originOfMessage(context), next)
      : next();
  const hooked = config as object as Partial<HookedConfig>;
  const isHooked = hooked.registerPreRequestHook !== undefined;
  const hasMessages = hasControllerMethod(modules, handlesMessages);
  // A hook costs each call of gRPC something, and an interceptor each request of HTTP, too.
  if (hasMessages) {
    hooked.registerPreRequestHook?.(Object.assign(onMessage, { [STAGED_PART]: NOT_FOR_CALLS }));
  }
  if (!hasGateways(modules) && (isHooked || !hasMessages)) return;
  const interceptor: NestInterceptor & { readonly [STAGED_PART]: StagedPart } = {
    [STAGED_PART]: NOT_FOR_CALLS,
    intercept: (context, next) => {
      const type = context.getType();
      if (type === 'ws') {
        return inSpan(spans, originOfSocketMessage(context), () => next.handle());
      }
      return type === 'rpc' && !isHooked ? onMessage(context, () => next.handle()) : next.handle();
    },
  };
  config.useGlobalInterceptors(interceptor);
}

function inSpan(
  spans: MessageSpans,
  origin: WorkOrigin,
  next: () => Observable<unknown>,
): Observable<unknown> {
  const begun = spans.begin(origin);
  if (begun !== undefined) {
    const open = new OpenSpan(begun.span, begun.context);
    // Nest runs the handler in the context in which it is subscribed to.
    return observedIn(defer(next), () => open);
  }
  const span = trace.getActiveSpan();
  return span === undefined
    ? next()
    : next().pipe(tap({ error: (error: unknown) => recordFailure(span, error) }));
}

/** Whether a method handles messages of a transport other than gRPC. */
function handlesMessages(method: object): boolean {
  if (!Reflect.hasMetadata(PATTERN_METADATA, method)) return false;
  return Reflect.getMetadata(TRANSPORT_METADATA, method) !== GRPC;
}

function hasGateways(modules: ModulesContainer): boolean {
  for (const { providers } of modules.values()) {
    for (const { metatype } of providers.values()) {
      if (typeof metatype === 'function' && Reflect.hasMetadata(GATEWAY_METADATA, metatype)) {
        return true;
      }
    }
  }
  return false;
}
