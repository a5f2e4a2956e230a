import type { Channel, Metadata } from '@grpc/grpc-js';

/** As much of the filter of grpc-js that compresses requests as is relied on. */
interface CompressionFilter {
  receiveMetadata(metadata: Metadata): Metadata;
}

interface FilterFactory {
  createFilter(): CompressionFilter;
}

interface Filtering {
  readonly internalChannel?: {
    readonly filterStackFactory?: { readonly factories?: readonly FilterFactory[] };
  };
}

const ACCEPTED = 'grpc-accept-encoding';

/**
 * Makes a channel that compresses requests understand `identity, deflate, gzip`, the form in which servers
 * of C-core list their encodings: grpc-js does not expect the spaces, concludes that they cannot read the
 * algorithm, and compresses nothing after the first answer. It replaces a method of the filters of this one
 * channel.
 */
export function readSpacedEncodings(channel: Channel): void {
  const { internalChannel } = channel as unknown as Filtering;
  for (const factory of internalChannel?.filterStackFactory?.factories ?? []) {
    const own = Object.getPrototypeOf(factory) as FilterFactory;
    factory.createFilter = () => {
      const filter = own.createFilter.call(factory);
      filter.receiveMetadata = receiveWithoutSpaces;
      return filter;
    };
  }
}

function receiveWithoutSpaces(this: CompressionFilter, metadata: Metadata): Metadata {
  const accepted = metadata.get(ACCEPTED).join();
  if (/\s/.test(accepted)) metadata.set(ACCEPTED, accepted.replace(/\s+/g, ''));
  const own = Object.getPrototypeOf(this) as CompressionFilter;
  return own.receiveMetadata.call(this, metadata);
}
