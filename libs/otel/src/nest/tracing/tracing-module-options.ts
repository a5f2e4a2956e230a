import { Mistakes } from '@apix/contracts';
import type { TracerProvider } from '@opentelemetry/api';
import { OtelError } from '../../errors.js';
import type { GraphqlSpansOptions } from '../../graphql/operation-spans.js';
import type { MessageSpansOptions } from '../../messages/message-spans.js';
import type { ExportingProviderInit } from '../../tracing/provider/exporting-provider.js';

export interface TracingModuleOptions extends Omit<ExportingProviderInit, 'processors'> {
  /** The app's own provider, which the app shuts down; excludes `exporter`. Default: the global one. */
  readonly tracerProvider?: TracerProvider | undefined;
  /** Spans of operations of GraphQL, where @nestjs/graphql tells of them; false: none. Default: {}. */
  readonly graphql?: false | GraphqlSpansOptions | undefined;
  /** Spans of messages, of transports and gateways, and of jobs that the host follows; false: none. Default: {}. */
  readonly messages?: false | MessageSpansOptions | undefined;
}

/** What a trace that comes from outside may be to a span. */
const INCOMING: readonly unknown[] = ['parent', 'link', 'ignore', undefined];

/**
 * @throws OtelError for options that exclude each other.
 */
export function checkTracingOptions(options: TracingModuleOptions): void {
  const mistakes = new Mistakes();
  if (options.tracerProvider !== undefined) {
    for (const name of ['exporter', 'sampler', 'resource'] as const) {
      if (options[name] !== undefined) {
        mistakes.add(name, 'excludes tracerProvider, which has its own');
      }
    }
  }
  if (options.messages !== undefined && options.messages !== false) {
    for (const name of ['incoming', 'jobs'] as const) {
      if (!INCOMING.includes(options.messages[name])) {
        mistakes.add(`messages.${name}`, 'must be parent, link or ignore');
      }
    }
  }
  if (options.graphql !== undefined && options.graphql !== false) {
    for (const [name, value] of Object.entries(options.graphql)) {
      if (value !== undefined) mistakes.flag(`graphql.${name}`, value);
    }
  }
  mistakes.throwIfAny((found) => new OtelError(found));
}
