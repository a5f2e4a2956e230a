import {
  type DescMessage,
  type Message,
  type Registry,
  fromBinary,
  fromJsonString,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import { JsonCodec } from '../json/json-codec.js';
import { transfer } from '../transfer/transfer.js';
import { wireCodec } from '../wire/wire-codec.js';

/** Every way on which a message is read, written or handed over. */
export interface Ways {
  readJson(desc: DescMessage, json: string): Message;
  writeJson(desc: DescMessage, message: Message): string;
  readWire(desc: DescMessage, wire: Uint8Array): Message;
  writeWire(desc: DescMessage, message: Message): Uint8Array;
  jsonToWire(desc: DescMessage, json: string): Uint8Array;
  wireToJson(desc: DescMessage, wire: Uint8Array): string;
  transfer(desc: DescMessage, message: Message): Message;
}

export type Way = keyof Ways;

/** Both ways over the same types. */
export interface Sides {
  readonly registry: Registry;
  readonly compiled: Ways;
  readonly reference: Ways;
}

export interface WaysOptions {
  /** Members and names of enums that no one knows are left out. Default: false. */
  readonly ignoresUnknown?: boolean;
  /** JSON has zero values too, names as in the proto files and enums as numbers. Default: false. */
  readonly writesAll?: boolean;
}

export function sidesOf(registry: Registry, options?: WaysOptions): Sides {
  return {
    registry,
    compiled: compiledWays(registry, options),
    reference: referenceWays(registry, options),
  };
}

/** What protobuf-es makes of it. A transfer is what the wire would have made. */
function referenceWays(registry: Registry, options: WaysOptions = {}): Ways {
  const { ignoresUnknown = false, writesAll = false } = options;
  const reading = { registry, ignoreUnknownFields: ignoresUnknown };
  const writing = {
    registry,
    alwaysEmitImplicit: writesAll,
    useProtoFieldName: writesAll,
    enumAsInteger: writesAll,
  };
  const readJson: Ways['readJson'] = (desc, json) => fromJsonString(desc, json, reading);
  const writeJson: Ways['writeJson'] = (desc, message) =>
    JSON.stringify(toJson(desc, message, writing));
  return {
    readJson,
    writeJson,
    readWire: fromBinary,
    writeWire: toBinary,
    jsonToWire: (desc, json) => toBinary(desc, readJson(desc, json)),
    wireToJson: (desc, wire) => writeJson(desc, fromBinary(desc, wire)),
    transfer: (desc, message) => fromBinary(desc, toBinary(desc, message)),
  };
}

/** The compiled ways of this package. */
export function compiledWays(registry: Registry, options: WaysOptions = {}): Ways {
  const { ignoresUnknown = false, writesAll = false } = options;
  const codec = new JsonCodec(registry, {
    unknownFields: ignoresUnknown ? 'ignore' : 'refuse',
    emitDefaults: writesAll ? 'values' : 'none',
    protoNames: writesAll,
    enumsAsNumbers: writesAll,
  });
  return {
    readJson: (desc, json) => codec.decode(desc, json),
    writeJson: (desc, message) => codec.encode(desc, message),
    readWire: (desc, wire) => wireCodec(desc).decode(wire),
    writeWire: (desc, message) => wireCodec(desc).encode(message),
    jsonToWire: (desc, json) => codec.toWire(desc, json),
    wireToJson: (desc, wire) => codec.fromWire(desc, wire).toString(),
    transfer,
  };
}
