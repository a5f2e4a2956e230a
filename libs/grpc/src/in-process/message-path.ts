import { type DescMethod, create, isMessage } from '@bufbuild/protobuf';
import type { InterceptorOptions } from '@grpc/grpc-js';
import type { ServedHandler } from './served-handler.js';

/** How messages get across: packed by the side that sends, opened by the one that receives. */
export interface MessagePath {
  packRequest(message: unknown): unknown;
  openRequest(body: unknown): unknown;
  packResponse(message: unknown): unknown;
  openResponse(body: unknown): unknown;
}

type ClientDefinition = InterceptorOptions['method_definition'];

/** Through the codecs of both sides, as over the wire: they share nothing. */
export class CopiedMessages implements MessagePath {
  readonly #client: ClientDefinition;
  readonly #server: ServedHandler['definition'];

  constructor(client: ClientDefinition, { definition }: ServedHandler) {
    this.#client = client;
    this.#server = definition;
  }

  packRequest(message: unknown): unknown {
    return this.#client.requestSerialize(message);
  }

  openRequest(body: unknown): unknown {
    return this.#server.requestDeserialize(body as Buffer);
  }

  packResponse(message: unknown): unknown {
    return this.#server.responseSerialize(message);
  }

  openResponse(body: unknown): unknown {
    return this.#client.responseDeserialize(body as Buffer);
  }
}

/**
 * Messages of protobuf-es as they are. What a handler answers in a message's shape becomes a
 * message, as its codec would make it.
 */
export class HandedOverMessages implements MessagePath {
  readonly #desc: DescMethod;
  readonly #copied: CopiedMessages;

  constructor(desc: DescMethod, copied: CopiedMessages) {
    this.#desc = desc;
    this.#copied = copied;
  }

  packRequest(message: unknown): unknown {
    return isMessage(message, this.#desc.input) ? message : this.#copied.packRequest(message);
  }

  openRequest(body: unknown): unknown {
    return Buffer.isBuffer(body) ? this.#copied.openRequest(body) : body;
  }

  packResponse(message: unknown): unknown {
    const { output } = this.#desc;
    return isMessage(message, output)
      ? message
      : create(output, (message ?? {}) as Record<string, unknown>);
  }

  openResponse(body: unknown): unknown {
    return body;
  }
}
