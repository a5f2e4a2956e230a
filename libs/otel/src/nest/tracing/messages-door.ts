import { Inject, Injectable } from '@nestjs/common';
import { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import { MessageSpans } from '../../messages/message-spans.js';
import { Tracing } from '../../tracing/tracing.js';
import { TRACING_OPTIONS } from '../tokens.js';
import { traceMessages } from './message-follower.js';
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
