import { type Mistakes, shownValue } from '@apix/contracts';
import {
  type DoorOptions,
  type DoorSettings,
  objectOr,
  readDoorOptions,
} from '../request/door-options.js';

/** Options of the events of gRPC calls. */
export interface GrpcLogOptions extends DoorOptions {
  /** Metadata key that brings the request's id and takes it back. Default: `'x-request-id'`. */
  readonly metadataKey?: string | undefined;
}

/** The same, checked and with every default. */
export interface GrpcLogSettings extends DoorSettings {
  /** In lower case. */
  readonly metadataKey: string;
}

/** Keys of texts that are not gRPC's own (gRPC over HTTP2, Custom-Metadata). */
const METADATA_KEY = /^(?!grpc-)[\da-z_.-]+(?<!-bin)$/i;

/** @param at where the options are, for the mistakes: empty, or such as `grpc`. */
export function readGrpcOptions(
  options: GrpcLogOptions | undefined,
  at: string,
  mistakes: Mistakes,
): GrpcLogSettings {
  const given = objectOr(options, at, mistakes);
  const inside = at && `${at}.`;
  const { metadataKey = 'x-request-id' } = given;
  const isKey = typeof metadataKey === 'string' && METADATA_KEY.test(metadataKey);
  if (!isKey) {
    mistakes.add(
      `${inside}metadataKey`,
      'must be the name of a text entry of gRPC metadata, such as "x-request-id", not ' +
        shownValue(metadataKey),
    );
  }
  return {
    ...readDoorOptions(given, inside, mistakes),
    metadataKey: isKey ? metadataKey.toLowerCase() : '',
  };
}
