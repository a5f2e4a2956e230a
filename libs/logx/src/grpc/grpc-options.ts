import type { Mistakes } from '@apix/contracts';
import { option } from '../options/option.js';
import { type OptionTable, readOptions } from '../options/option-table.js';
import {
  DOOR_OPTIONS,
  type DoorOptions,
  type DoorSettings,
  doorSettings,
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

/** What each option of the events of gRPC calls may be. */
export const GRPC_LOG_OPTIONS = {
  ...DOOR_OPTIONS,
  metadataKey: option<string>(
    'the name of a text entry of gRPC metadata, such as "x-request-id"',
    (value) => typeof value === 'string' && METADATA_KEY.test(value),
    { type: 'string' },
  ),
} satisfies OptionTable<GrpcLogOptions>;

/** @param at where the options are, for the mistakes: empty, or such as `grpc`. */
export function readGrpcOptions(
  options: GrpcLogOptions | undefined,
  at: string,
  mistakes: Mistakes,
): GrpcLogSettings {
  const read = readOptions(GRPC_LOG_OPTIONS, options, at, mistakes);
  const { metadataKey = 'x-request-id' } = read;
  return { ...doorSettings(read), metadataKey: metadataKey.toLowerCase() };
}
