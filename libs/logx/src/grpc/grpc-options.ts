import type { CallContext, Mistakes } from '@apix/contracts';
import { callable, option, type OptionTable, readOptions } from '@apix/contracts/internal';
import { type CodeName, codeLevels } from '../request/code-level.js';
import {
  CHOSEN_HEADERS,
  DOOR_OPTIONS,
  type DoorOptions,
  type DoorSettings,
  doorSettings,
  refuseBothProbes,
} from '../request/door-options.js';
import type { ChosenHeaders } from '../request/header-fields.js';
import type { RequestLevel } from '../request/request-level.js';
import type { GrpcOutcome } from './grpc-outcome.js';

/** Options of the events of gRPC calls. */
export interface GrpcLogOptions extends DoorOptions {
  /** Metadata key that brings the request's id and takes it back. Default: `'x-request-id'`. */
  readonly metadataKey?: string | undefined;
  /**
   * Creates an id for a call without a usable one. If it throws, or returns an id that is not 1 to 128
   * visible ASCII characters, `newId()` is used. Default: `newId`.
   */
  readonly idGenerator?: ((call: CallContext) => string) | (() => string) | undefined;
  /**
   * Levels by code, `{ NOT_FOUND: 'information', CANCELLED: 'off' }`, or a function of the call's outcome;
   * if it throws, the level stays as it is. Default: information for OK, warning for codes that the caller
   * can avoid, else error.
   */
  readonly levels?:
    | Readonly<Partial<Record<CodeName, RequestLevel>>>
    | ((outcome: GrpcOutcome) => RequestLevel | undefined)
    | undefined;
  /**
   * Finds fields of all events of a call. Called at its start, and again at its end, whose event has the
   * fields found then. If it throws, nothing is added. Default: none.
   */
  readonly fields?:
    ((call: CallContext) => Readonly<Record<string, unknown>> | undefined) | undefined;
  /**
   * Metadata of the call that its event has as `request_metadata`: `'all'`, or that of these keys. Secrets,
   * such as `authorization`, are logged without their values. Default: none.
   */
  readonly requestMetadata?: ChosenHeaders | undefined;
}

/** The same, checked and with every default. */
export interface GrpcLogSettings extends DoorSettings<CallContext, GrpcOutcome> {
  /** In lower case. */
  readonly metadataKey: string;
  readonly requestMetadata: ChosenHeaders | undefined;
}

/** Keys of texts that are not gRPC's own (gRPC over HTTP2, Custom-Metadata). */
const METADATA_KEY = /^(?!grpc-)[\da-z_.-]+(?<!-bin)$/i;

/** The allowed values of each option of the events of gRPC calls. */
export const GRPC_LOG_OPTIONS = {
  ...DOOR_OPTIONS,
  metadataKey: option<string>(
    'the name of a text entry of gRPC metadata, such as "x-request-id"',
    (value) => typeof value === 'string' && METADATA_KEY.test(value),
    { type: 'string' },
  ),
  idGenerator: callable<(call: CallContext) => string>(),
  levels: codeLevels<GrpcOutcome>(),
  fields: callable<(call: CallContext) => Readonly<Record<string, unknown>> | undefined>(),
  requestMetadata: CHOSEN_HEADERS,
} satisfies OptionTable<GrpcLogOptions>;

/** @param at where the options are, for the mistakes: empty, or such as `grpc`. */
export function readGrpcOptions(
  options: GrpcLogOptions | undefined,
  at: string,
  mistakes: Mistakes,
): GrpcLogSettings {
  const read = readOptions(GRPC_LOG_OPTIONS, options === undefined ? {} : options, at, mistakes);
  refuseBothProbes(read, at, mistakes);
  const { metadataKey = 'x-request-id', requestMetadata } = read;
  return {
    ...doorSettings(read, read),
    metadataKey: metadataKey.toLowerCase(),
    requestMetadata,
  };
}
