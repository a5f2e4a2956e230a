import type { Metadata } from '@grpc/grpc-js';
import type { CallMetadata } from '@apix/contracts';

/** A view of grpc-js metadata; binary values (`-bin` keys) are left out. */
export class GrpcCallMetadata implements CallMetadata {
  readonly #metadata: Metadata;

  constructor(metadata: Metadata) {
    this.#metadata = metadata;
  }

  get(key: string): readonly string[] {
    return this.#metadata.get(key).filter((value) => typeof value === 'string');
  }

  keys(): readonly string[] {
    return Object.keys(this.#metadata.getMap());
  }
}
